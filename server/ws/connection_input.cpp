// SPDX-License-Identifier: MIT
//
// What comes in on a connection, and how its stream hears of it.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/assert.h"
#include "session/backend.h"
#include "ws/connection.h"
#include "ws/loop_part.h"

namespace sweepd::ws {
namespace {

using session::StreamEvent;

/// Of one connection at a time; what is beyond waits for the next tick, or for the next round.
constexpr std::size_t kTurnBytesMax = std::size_t{128} << 10;
constexpr int kTurnMessagesMax = 128;
/// Of a client whose request is refused, so that its answer arrives. One that sends on is cut off.
constexpr std::size_t kThrownAwayBytesMax = std::size_t{64} << 10;

bool parse_whole(const std::string& bytes, google::protobuf::Message& message) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

/// A message that is no connection's any more.
class ReleasedBytes final : public session::MessageBytes {
 public:
  ReleasedBytes(std::string bytes, session::BudgetShare memory)
      : bytes_(std::move(bytes)), memory_(std::move(memory)) {}

  std::size_t size() const override { return bytes_.size(); }
  void drop() override {
    std::string().swap(bytes_);
    memory_ = {};
  }
  bool read_into(google::protobuf::Message& message) override {
    const bool is_whole = parse_whole(bytes_, message);
    drop();
    return is_whole;
  }
  std::unique_ptr<session::MessageBytes> release() override {
    return std::make_unique<ReleasedBytes>(std::exchange(bytes_, {}), std::exchange(memory_, {}));
  }

 private:
  std::string bytes_;
  session::BudgetShare memory_;
};

}  // namespace

// ---- The message that has come.

std::size_t Connection::Incoming::size() const { return owner_.reader_->message().size(); }

void Connection::Incoming::drop() {
  owner_.reader_->message().clear();
  owner_.memory_ = {};
}

bool Connection::Incoming::read_into(google::protobuf::Message& message) {
  const bool is_whole = parse_whole(owner_.reader_->message(), message);
  drop();
  return is_whole;
}

std::unique_ptr<session::MessageBytes> Connection::Incoming::release() {
  return std::make_unique<ReleasedBytes>(std::exchange(owner_.reader_->message(), {}),
                                         std::exchange(owner_.memory_, {}));
}

// ---- Reading.

std::size_t Connection::take(std::span<std::uint8_t> room) {
  if (!in_.empty()) {  // It came with the handshake.
    const std::size_t bytes = in_.copy(reinterpret_cast<char*>(room.data()), room.size());
    in_.erase(0, bytes);
    return bytes;
  }
  if (is_drained_ || turn_bytes_left_ == 0) return 0;
  const auto received = socket_.receive(room.first(std::min(room.size(), turn_bytes_left_)));
  is_drained_ = received.bytes == 0;
  is_cut_ = received.state == Socket::State::kClosed;
  turn_bytes_left_ -= received.bytes;
  return received.bytes;
}

bool Connection::has_room(std::size_t bytes) {
  memory_ = {};
  auto share = session::take_message(part_->home().backend(), payers_, bytes);
  if (share) memory_ = std::move(*share);
  return share.ok();
}

void Connection::begin_turn() {
  turn_bytes_left_ = kTurnBytesMax;
  is_drained_ = false;
  is_in_turn_ = true;
}

bool Connection::end_turn() {
  is_in_turn_ = false;
  if (phase_ == Phase::kOver) return true;
  if (is_cut_ && is_drained_) {
    lose();
    return true;
  }
  if (phase_ == Phase::kOpen) send_pong();
  if (phase_ != Phase::kOver) watch();
  return true;
}

void Connection::ask_for_turn() {
  is_turn_due_ = true;
  part_->list(*this);
}

bool Connection::receive() {
  begin_turn();
  int messages = 0;
  for (; messages < kTurnMessagesMax && takes_more(); ++messages) {
    const FrameReader::Result result = reader_->next();
    if (result == FrameReader::Result::kNothing) break;
    if (result == FrameReader::Result::kMessage) {
      holds_message_ = true;
      if (!hand_over()) return false;
    } else if (result == FrameReader::Result::kClose) {
      if (!on_close()) return false;
    } else {
      break_off(reader_->fault().code, reader_->fault().what);
    }
  }
  // What is left may be in memory already, where no look at sockets finds it.
  const bool is_cut_short = messages == kTurnMessagesMax || turn_bytes_left_ == 0;
  if (is_cut_short && takes_more() && !reads_at_ticks_) ask_for_turn();
  return end_turn();
}

// It stays held where the stream does not read.
bool Connection::hand_over() {
  deadline_.reset();
  if (kind_->has_one_request) {
    holds_message_ = false;
    if (origin_) return arrive(*std::exchange(origin_, std::nullopt));
    break_off(CloseCode::kPolicyViolation, "this stream takes one message");
    return true;
  }
  if (kind_->ends_with_empty_message && reader_->message().empty()) {
    holds_message_ = false;
    return end_input();
  }
  if (!is_reading_) return true;
  is_reading_ = holds_message_ = false;
  return tell(StreamEvent::kRead, true);
}

bool Connection::arrive(session::CallOrigin origin) {
  bool departed = false;
  departed_ = &departed;
  stream_ = kind_->make(*this, part_->home());
  stream_->arrive(std::move(origin));
  if (departed) return false;
  departed_ = nullptr;
  return true;
}

bool Connection::tell(StreamEvent event, bool ok) {
  bool departed = false;
  departed_ = &departed;
  stream_->tell(event, ok);
  if (departed) return false;
  departed_ = nullptr;
  return true;
}

// The client says no more, and waits for what it is told.
bool Connection::end_input() {
  has_input_ended_ = true;
  if (!std::exchange(is_reading_, false)) return true;
  return tell(StreamEvent::kRead, false);
}

// A client that closes in order has done with the stream, as one that says no more. A client that goes away,
// or that follows a match and wants no more of it, gives the stream up.
bool Connection::on_close() {
  has_peer_closed_ = true;
  const CloseCode code = reader_->close_code();
  const bool is_in_order = code == CloseCode::kNormal || code == CloseCode::kNone;
  if (is_in_order && !kind_->has_one_request) return end_input();
  break_off(is_in_order ? CloseCode::kNormal : code, "");
  return true;
}

// A client that has been told of the end may yet say its own.
void Connection::discard_input() {
  begin_turn();
  is_in_turn_ = false;
  if (reader_) {
    for (;;) {
      const FrameReader::Result result = reader_->next();
      if (result == FrameReader::Result::kMessage) continue;
      if (result == FrameReader::Result::kNothing) break;
      if (result == FrameReader::Result::kClose && out_.empty()) return lose();
      has_peer_closed_ = result == FrameReader::Result::kClose;
      break;
    }
  }
  std::array<std::uint8_t, std::size_t{4} << 10> room{};
  while (const std::size_t bytes = take(room)) thrown_away_bytes_ += bytes;
  const bool sends_on = !reader_ && thrown_away_bytes_ > kThrownAwayBytesMax;
  if (is_cut_ || sends_on) lose();
}

// ---- Its stream asks.

void Connection::read() {
  SWEEPD_ASSERT(!is_reading_);
  if (phase_ != Phase::kOpen) return raise(StreamEvent::kRead, false);
  is_reading_ = true;
  if (is_in_turn_ || (reads_at_ticks_ && !holds_message_ && !has_input_ended_)) return;
  ask_for_turn();
}

void Connection::read_at_ticks() {
  reads_at_ticks_ = true;
  last_look_ = part_->now();
  watch();
}

void Connection::look() {
  last_look_ = part_->now();
  if (takes_more()) (void)receive();
}

// What came before the last look has been read then.
runtime::Duration Connection::waited() const {
  return std::min<runtime::Duration>(socket_.waited(), std::chrono::seconds(1));
}

void Connection::go_on() {
  constexpr std::array kInOrder{StreamEvent::kRead, StreamEvent::kWritten, StreamEvent::kFinished,
                                StreamEvent::kDone};
  for (const StreamEvent event : kInOrder) {
    auto& due = due_[static_cast<std::size_t>(event)];
    if (!due || !stream_) continue;
    const bool ok = *std::exchange(due, std::nullopt);
    if (!tell(event, ok)) return;
  }
  if (!std::exchange(is_turn_due_, false) || phase_ != Phase::kOpen) return;
  if (has_input_ended_) {
    if (!is_reading_) return;
    is_reading_ = false;
    (void)tell(StreamEvent::kRead, false);
  } else if (holds_message_) {
    if (!is_reading_) return;
    is_reading_ = holds_message_ = false;
    if (!tell(StreamEvent::kRead, true)) return;
    if (phase_ == Phase::kOpen) (void)receive();
  } else {
    (void)receive();
  }
}

}  // namespace sweepd::ws
