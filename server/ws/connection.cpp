// SPDX-License-Identifier: MIT
//
// How a connection begins, what goes out, and how it ends.
#include "ws/connection.h"

#include <openssl/evp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/assert.h"
#include "session/backend.h"
#include "session/call_trace.h"
#include "ws/frame_writer.h"
#include "ws/loop_part.h"

namespace sweepd::ws {
namespace {

using boost::asio::ip::tcp;
using session::StreamEvent;

/// For the handshakes, until the first message of a stream has come.
constexpr std::chrono::seconds kHandshakeTime{5};
/// For taking the last bytes, and for closing.
constexpr std::chrono::seconds kClosingTime{5};
constexpr std::string_view kHeadEnd = "\r\n\r\n";
/// A match's clock may stand still, or be slow.
constexpr std::chrono::milliseconds kUnlookedMax{100};

/// An address of version 4 as such, also on a socket of version 6: so the acceptor names it.
tcp::endpoint peer_of(int descriptor) {
  tcp::endpoint peer;
  auto size = static_cast<socklen_t>(peer.capacity());
  if (getpeername(descriptor, peer.data(), &size) != 0) return {};
  peer.resize(size);
  if (!peer.address().is_v6() || !peer.address().to_v6().is_v4_mapped()) return peer;
  using namespace boost::asio::ip;
  return {make_address_v4(v4_mapped, peer.address().to_v6()), peer.port()};
}

/// As the log has it of every door.
std::string name_of(const tcp::endpoint& peer) {
  const std::string address = peer.address().to_string();
  const std::string port = ':' + std::to_string(peer.port());
  return peer.address().is_v6() ? "ipv6:[" + address + ']' + port : "ipv4:" + address + port;
}

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

}  // namespace

Connection::Connection(LoopPart& part, int descriptor, ssl_ctx_st* tls)
    : share_(part.share()),
      part_(&part),
      socket_(descriptor, tls),
      peer_(peer_of(descriptor)),
      phase_(tls == nullptr ? Phase::kRequest : Phase::kTls) {
  set_deadline(kHandshakeTime);
  watch();
}

Connection::~Connection() { SWEEPD_ASSERT(stream_ == nullptr); }

void Connection::set_deadline(runtime::Duration time) { deadline_ = part_->now() + time; }

std::uint32_t Connection::wanted_events() const {
  const std::uint32_t out = out_.empty() ? 0u : std::uint32_t{EPOLLOUT};
  switch (phase_) {
    case Phase::kTls:
    case Phase::kRequest:
    case Phase::kClosing:
      return EPOLLIN | out;
    case Phase::kOpen:
      if (!takes_more()) return out | EPOLLHUP;
      return EPOLLRDHUP | out | (reads_at_ticks_ ? 0u : std::uint32_t{EPOLLIN});
    case Phase::kOver:
      break;
  }
  return 0;
}

void Connection::watch() {
  const std::uint32_t wanted = wanted_events();
  if (wanted == watched_) return;
  part_->watch(*this, watched_, wanted);
  watched_ = wanted;
}

void Connection::on_ready(std::uint32_t events) {
  if ((events & EPOLLOUT) != 0) flush();
  if (phase_ == Phase::kTls) shake_hands();
  if (phase_ == Phase::kRequest) {
    if (!read_head()) return;
  } else if (phase_ == Phase::kClosing) {
    discard_input();
  } else if (phase_ == Phase::kOpen) {
    if (!receive()) return;
  }
  const bool is_gone = (events & (EPOLLHUP | EPOLLERR)) != 0;
  if (phase_ == Phase::kOver) return;
  if (is_gone) return lose();
  watch();
}

void Connection::shake_hands() {
  switch (socket_.shake_hands()) {
    case Socket::State::kReady:
      phase_ = Phase::kRequest;
      return;
    case Socket::State::kClosed:
      return lose();
    case Socket::State::kWantsRead:
    case Socket::State::kWantsWrite:  // Which a handshake's few bytes do not do for long.
      return;
  }
}

bool Connection::read_head() {
  std::array<std::uint8_t, std::size_t{4} << 10> room{};
  for (;;) {
    const auto received = socket_.receive(room);
    if (received.bytes == 0) {
      if (received.state == Socket::State::kClosed) lose();
      return true;
    }
    // What comes byte by byte is parsed once.
    const std::size_t seen = in_.size() < kHeadEnd.size() ? 0 : in_.size() - kHeadEnd.size();
    in_.append(reinterpret_cast<const char*>(room.data()), received.bytes);
    if (in_.find(kHeadEnd, seen) == std::string::npos && in_.size() < kHeadBytesMax) continue;
    const auto parsed = parse_head(in_);
    if (!parsed) continue;
    if (const auto* const head = std::get_if<ParsedHead>(&*parsed)) return take_head(*head);
    return refuse(std::get<HttpRefusal>(*parsed));
  }
}

bool Connection::take_head(const ParsedHead& parsed) {
  auto read = read_upgrade(parsed.head, part_->origins());
  if (const auto* const refusal = std::get_if<HttpRefusal>(&read)) return refuse(*refusal);
  auto& upgrade = std::get<Upgrade>(read);
  kind_ = find_stream_kind(upgrade.path);
  if (kind_ == nullptr) return refuse({404, "no stream of the contract has that path"});
  if (part_->is_shut_down()) return refuse({503, "the server shuts down"});
  in_.erase(0, parsed.bytes);
  session::CallOrigin origin = origin_of(std::move(upgrade.token), upgrade.request_id);
  out_ += accept_upgrade(upgrade, origin.request_id);
  flush();
  if (phase_ == Phase::kOver) return true;
  phase_ = Phase::kOpen;
  reader_.emplace(static_cast<FrameSource&>(*this), 2 * session::kRequestBytesMax);
  if (kind_->has_one_request) {
    origin_ = std::move(origin);
  } else if (!arrive(std::move(origin))) {
    return false;
  }
  return phase_ != Phase::kOpen || receive();
}

session::CallOrigin Connection::origin_of(std::string token, std::string_view given_request_id) {
  session::CallOrigin origin;
  origin.request_id = session::request_id_for(given_request_id);
  origin.peer = name_of(peer_);
  origin.token = std::move(token);
  origin.caller = session::caller_at(part_->home().backend(), peer_);
  session::Caller& caller = origin.caller;
  if (!caller.behind_front.empty()) {
    origin.peer = caller.behind_front + " through " + origin.peer;
  } else {
    caller.certified = socket_.certified();
  }
  if (caller.certified) origin.peer += " CN=" + caller.certified->common_name;
  payers_ = caller.payers;
  return origin;
}

bool Connection::refuse(const HttpRefusal& refusal) {
  out_ += to_text(refusal);
  wait_for_end();
  flush();
  return true;
}

// ---- What goes out.

void Connection::write(const google::protobuf::MessageLite& message) {
  SWEEPD_ASSERT(!writing_);
  if (phase_ != Phase::kOpen) return raise(StreamEvent::kWritten, false);
  writing_ = StreamEvent::kWritten;
  std::string_view frame = part_->frame().write(message);
  if (out_.empty()) {
    const auto sent = socket_.send(frame);
    if (sent.state == Socket::State::kClosed) return lose();
    frame.remove_prefix(sent.bytes);
  }
  out_ += frame;
  if (out_.empty()) return on_flushed();
  flush();
}

void Connection::answer(const google::protobuf::MessageLite& message) {
  if (phase_ == Phase::kOpen) out_ += part_->frame().write(message);
  finish(session::Status{});
}

void Connection::finish(const session::Status& status) {
  SWEEPD_ASSERT(!writing_);
  if (phase_ != Phase::kOpen) return raise(StreamEvent::kFinished, false);
  writing_ = StreamEvent::kFinished;
  std::string reason;
  if (!status.ok()) {
    append_frame(out_, FrameKind::kText, base64(status.details()));
    reason = session::reason_of(status) + ": " + status.message();
  }
  send_close(close_code_of(status), reason);
}

// After a close there is nothing more to say.
void Connection::send_close(CloseCode code, std::string_view reason) {
  append_close(out_, code, reason);
  wait_for_end();
  flush();
}

void Connection::wait_for_end() {
  phase_ = Phase::kClosing;
  set_deadline(kClosingTime);
}

void Connection::flush() {
  while (!out_.empty()) {
    const auto sent = socket_.send(out_);
    if (sent.state == Socket::State::kClosed) return lose();
    if (sent.bytes == 0) return watch();
    out_.erase(0, sent.bytes);
  }
  if (out_.capacity() > session::kSmallMessageBytes) std::string().swap(out_);
  on_flushed();
}

void Connection::on_flushed() {
  if (const auto event = std::exchange(writing_, std::nullopt)) {
    raise(*event, true);
    if (event == StreamEvent::kFinished) {
      if (std::exchange(is_reading_, false)) raise(StreamEvent::kRead, false);
      raise(StreamEvent::kDone, true);
    }
  }
  if (phase_ == Phase::kOpen) send_pong();
  if (phase_ == Phase::kClosing) {
    // A client that has closed waits for this side. One that has broken the rules, or does not speak
    // WebSocket, is waited for no longer.
    if (has_peer_closed_) return lose();
    if (!reader_ || is_broken_off_) socket_.end_sending();
  }
  watch();
}

void Connection::send_pong() {
  if (!reader_ || !out_.empty()) return;
  if (const auto ping = reader_->take_ping()) {
    append_frame(out_, FrameKind::kPong, *ping);
    flush();
  }
}

// ---- The end.

void Connection::break_off(CloseCode code, std::string_view reason) {
  is_broken_off_ = true;
  fail_stream();
  send_close(code, reason);
}

void Connection::lose() {
  if (phase_ == Phase::kOver) return;
  phase_ = Phase::kOver;
  out_.clear();
  deadline_.reset();
  watch();
  fail_stream();
  if (!stream_) part_->bury(*this);
}

// Of operations that go on the stream hears that they have ended.
void Connection::fail_stream() {
  origin_.reset();
  if (std::exchange(is_reading_, false)) raise(StreamEvent::kRead, false);
  if (const auto event = std::exchange(writing_, std::nullopt)) raise(*event, false);
  raise(StreamEvent::kDone, false);
}

void Connection::cancel() {
  if (is_done_ && phase_ == Phase::kOver) return;
  socket_.reset_when_closed();
  lose();
}

void Connection::leave_idle() {
  if (phase_ != Phase::kClosing) lose();
}

void Connection::end_stream() {
  stream_.reset();
  if (phase_ == Phase::kOver) return part_->bury(*this);
  if (phase_ == Phase::kOpen) break_off(CloseCode::kNormal, "");
}

void Connection::raise(StreamEvent event, bool ok) {
  if (!stream_) return;
  if (event == StreamEvent::kDone && std::exchange(is_done_, true)) return;
  due_[static_cast<std::size_t>(event)] = ok;
  part_->list(*this);
}

void Connection::look_after(runtime::TimePoint now) {
  if (deadline_ && now >= *deadline_) {
    deadline_.reset();
    if (phase_ == Phase::kRequest) return (void)refuse({408, "no request came in time"});
    if (phase_ == Phase::kOpen) return break_off(CloseCode::kPolicyViolation, "no message came in time");
    socket_.reset_when_closed();
    return lose();
  }
  if (phase_ == Phase::kOpen && reads_at_ticks_ && now - last_look_ >= kUnlookedMax) look();
}

void Connection::depart() {
  if (departed_ != nullptr) *departed_ = true;
  departed_ = nullptr;
  is_in_turn_ = false;
  if (watched_ != 0) part_->watch(*this, std::exchange(watched_, 0), 0);
  self_ = part_->release(*this);
  part_ = nullptr;
}

void Connection::settle(session::MatchLoop& home) {
  SWEEPD_ASSERT(part_ == nullptr);
  part_ = share_.parts.at(home.index());
  part_->adopt(std::move(self_));
  watch();
  is_turn_due_ = is_reading_ && !reads_at_ticks_;
  part_->list(*this);
}

}  // namespace sweepd::ws
