// SPDX-License-Identifier: MIT
//
// Protects those who want something verified from others who do, or pretend to: nobody keeps a place for long
// who sends nothing, takes nothing, or has gone, and nobody has more than a few.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <thread>
#include <utility>

#include "base/sanitizers.h"
#include "sweepd/v1/input_log.pb.h"
#include "unit/app/replays/replay_server.h"

namespace sweepd::app::verification_places_test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Speaks HTTP/2 by hand, and gives the server no room for a byte of an answer.
class ClosedWindow {
 public:
  /// `from`: one of this machine's addresses.
  explicit ClosedWindow(const std::string& address, in_addr_t from = INADDR_LOOPBACK)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(from);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(kSettings, 0, 0, number(4, 2) + number(0, 4)));
  }
  ~ClosedWindow() { ::close(socket_); }
  ClosedWindow(const ClosedWindow&) = delete;
  ClosedWindow& operator=(const ClosedWindow&) = delete;

  void verify(std::uint32_t stream, const std::string& bytes) const {
    std::string fields;
    for (const auto& [name, value] : {std::pair<std::string, std::string>{":method", "POST"},
                                      {":scheme", "http"},
                                      {":path", "/sweepd.v1.ReplayService/VerifyReplay"},
                                      {":authority", "localhost"},
                                      {"content-type", "application/grpc"},
                                      {"te", "trailers"}}) {
      fields += number(0, 1) + number(name.size(), 1) + name + number(value.size(), 1) + value;
    }
    v1::VerifyReplayRequest request;
    request.set_chunk(bytes);
    const std::string message = request.SerializeAsString();
    send(frame(kHeaders, kEndHeaders, stream, fields) +
         frame(kData, kEndStream, stream, number(0, 1) + number(message.size(), 4) + message));
  }

 private:
  static constexpr std::uint8_t kData = 0, kHeaders = 1, kSettings = 4;
  static constexpr std::uint8_t kEndStream = 1, kEndHeaders = 4;

  static std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
  }
  static std::string frame(std::uint8_t kind, std::uint8_t flags, std::uint32_t stream,
                           const std::string& content) {
    return number(content.size(), 3) + number(kind, 1) + number(flags, 1) + number(stream, 4) + content;
  }
  void send(const std::string& bytes) const {
    EXPECT_EQ(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }

  int socket_;
};

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

/// A log of a few kilobytes that takes many seconds to play: some objects that fly for a million ticks.
std::string slow_log() {
  v1::InputLogRecord header;
  v1::MatchConfig& config = *header.mutable_header()->mutable_config();
  config.add_layers("ship");
  config.set_clock(v1::CLOCK_KIND_MANUAL);
  config.mutable_playfield()->set_max_x(1 << 24);
  config.mutable_playfield()->set_max_y(1 << 24);
  v1::InputLogRecord tick;
  tick.mutable_tick()->set_tick(1);
  v1::InputLogJoin& join = *tick.mutable_tick()->add_inputs()->mutable_join();
  join.set_name("ann");
  join.set_role(v1::ROLE_PLAYER);
  v1::Frame& frame = *tick.mutable_tick()->add_inputs()->mutable_frame();
  for (std::uint32_t i = 0; i < 400; ++i) {
    v1::Spawn& spawn = *frame.add_spawns();
    spawn.set_object_id(i + 1);
    spawn.set_x(static_cast<std::int32_t>(i * 1'000));
    spawn.add_parts()->mutable_box()->set_max_x(100);
    spawn.mutable_motion()->set_velocity_x(static_cast<std::int32_t>(i % 7));
    spawn.mutable_motion()->set_velocity_y(1);
  }
  v1::InputLogRecord end;
  end.mutable_end()->set_tick_count(1 << 20);
  std::string log("\x89SWPI\r\n\x1a\x01\0\0\0", 12);
  for (const auto& record : {header, tick, end}) {
    const std::string bytes = record.SerializeAsString();
    log += varint(bytes.size()) + bytes;
  }
  return log;
}

class VerificationPlaces : public ReplayServerTest {
 protected:
  /// Once the call is over; the server may hear of it a moment later.
  bool is_soon_verified() {
    const auto deadline = Clock::now() + std::chrono::seconds(10);
    while (Clock::now() < deadline) {
      if (reason_of(verify("x").status) == "OK") return true;
      std::this_thread::sleep_for(milliseconds(5));
    }
    return false;
  }
  bool is_refused() { return reason_of(verify("x").status) == "8 TOO_MANY_VERIFICATIONS"; }
  bool is_soon_refused() {
    bool is_refused_now = false;
    for (int i = 0; i < 5000 && !is_refused_now; ++i) is_refused_now = is_refused();
    return is_refused_now;
  }
};

TEST_F(VerificationPlaces, AreFourForAnAddress) {
  std::vector<std::unique_ptr<Pending>> uploads;
  for (int i = 0; i < 4; ++i) uploads.push_back(begin("x"));
  EXPECT_TRUE(is_soon_refused());
  const std::string message = verify("x").status.error_message();
  EXPECT_THAT(message, ::testing::HasSubstr("your address has 4"));
  for (const auto& upload : uploads) {
    EXPECT_EQ(reason_of(upload->finish()), "OK");
    EXPECT_EQ(upload->response.verdict(), v1::REPLAY_VERDICT_MALFORMED);
  }
  EXPECT_TRUE(is_soon_verified());
}

TEST_F(VerificationPlaces, AreGivenToOthersByWhoHasHadItsShare) {
  // Which an honest verification has to come to its end in, too, beside the loud ones.
  const milliseconds share(base::kHasSanitizer ? 8'000 : 500);
  start({.verifier = {.share_time = share}});
  ASSERT_EQ(verify(slow_log().substr(0, 100)).response.verdict(), v1::REPLAY_VERDICT_MALFORMED);
  const ClosedWindow loud(address(), INADDR_LOOPBACK + 1);
  // From the other address: as many as it may.
  for (std::uint32_t stream = 1; stream < 8; stream += 2) loud.verify(stream, slow_log());
  ASSERT_TRUE(has_verifier());
  const auto before = Clock::now();
  const Verified verified = verify(signed_replay());
  EXPECT_EQ(verified.response.verdict(), v1::REPLAY_VERDICT_VERIFIED) << reason_of(verified.status);
  EXPECT_LT(Clock::now() - before, 8 * share);
}

TEST_F(VerificationPlaces, AreKeptWhileNoOtherWaits) {
  start({.verifier = {.run_time = milliseconds(1500), .share_time = milliseconds(300)}});
  const auto before = Clock::now();
  EXPECT_EQ(reason_of(verify(slow_log()).status), "8 VERIFICATION_TOO_LONG");
  EXPECT_GE(Clock::now() - before, milliseconds(1500));
}

TEST_F(VerificationPlaces, AreAsManyAsThereAreVerifiers) {
  start({.verifier = {.processes = 2}});
  const ClosedWindow loud(address(), INADDR_LOOPBACK + 1);
  loud.verify(1, slow_log());
  ASSERT_TRUE(has_verifier());
  const auto before = Clock::now();
  EXPECT_EQ(verify(signed_replay()).response.verdict(), v1::REPLAY_VERDICT_VERIFIED);
  EXPECT_LT(Clock::now() - before, std::chrono::seconds(5));
}

TEST_F(VerificationPlaces, AreNotKeptByWhoSendsNothing) {
  start({.verifier = {.upload_window = milliseconds(200)}});
  const auto silent = begin("x");
  const auto before = Clock::now();
  EXPECT_EQ(reason_of(silent->stream->Finish()), "4 UPLOAD_TOO_SLOW");
  EXPECT_LT(Clock::now() - before, std::chrono::seconds(5));
  const auto dripping = begin("x");
  for (int i = 0; i < 2000 && dripping->send("x"); ++i) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(reason_of(dripping->stream->Finish()), "4 UPLOAD_TOO_SLOW");
}

TEST_F(VerificationPlaces, AreNotKeptByWhoSendsForEver) {
  start({.verifier = {.upload_window = milliseconds(200), .upload_time = milliseconds(1000)}});
  const auto upload = begin("x");
  const auto before = Clock::now();
  // Fast enough in each window, and never done.
  for (int i = 0; i < 2000 && upload->send(std::string(10'000, 'x')); ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_EQ(reason_of(upload->stream->Finish()), "4 UPLOAD_TOO_SLOW");
  EXPECT_GT(Clock::now() - before, milliseconds(800));
}

TEST_F(VerificationPlaces, AreNotKeptByWhoTakesNoAnswer) {
  start({.verifier = {.answer_time = milliseconds(1500)}});
  std::deque<ClosedWindow> clients;
  bool are_all_taken = false;
  // On a busy machine the first of four may have been given up before the last one is there.
  for (int tries = 0; tries < 20 && !are_all_taken; ++tries) {
    const ClosedWindow& client = clients.emplace_back(address());
    for (std::uint32_t call = 0; call < 4; ++call) client.verify(2 * call + 1, "x");
    const auto last = Clock::now() + milliseconds(1500);
    while (!are_all_taken && Clock::now() < last) are_all_taken = is_refused();
  }
  EXPECT_TRUE(are_all_taken);
  // Each gets a verdict with which nothing can be done.
  EXPECT_TRUE(is_soon_verified());
}

TEST_F(VerificationPlaces, InTheQueueAreForATimeOnly) {
  start({.verifier = {.queue_time = milliseconds(300)}});
  const std::chrono::seconds slow_time(base::kHasSanitizer ? 6 : 3);
  const std::string slow = recordings::slow_replay(slow_time);
  const auto running = begin(slow);
  running->stream->WritesDone();
  ASSERT_TRUE(has_verifier());
  const auto before = Clock::now();
  const Verified waiting = verify(signed_replay());
  EXPECT_EQ(reason_of(waiting.status), "8 TOO_MANY_VERIFICATIONS");
  EXPECT_THAT(waiting.status.error_message(), ::testing::HasSubstr("no verifier was free"));
  EXPECT_LT(Clock::now() - before, slow_time - std::chrono::seconds(1));
  // The one that runs has a time of its own.
  EXPECT_EQ(reason_of(running->stream->Finish()), "OK");
  EXPECT_EQ(running->response.verdict(), v1::REPLAY_VERDICT_VERIFIED);
}

TEST_F(VerificationPlaces, InTheQueueAreNotKeptByWhoHasGone) {
  start({.verifier = {.calls_per_peer = 100}});
  const std::chrono::seconds slow_time(base::kHasSanitizer ? 6 : 3);
  const std::string slow = recordings::slow_replay(slow_time);
  const auto running = begin(slow);
  running->stream->WritesDone();
  ASSERT_TRUE(has_verifier());
  const auto fill = [this] {
    std::vector<std::unique_ptr<Pending>> waiting;
    for (int i = 0; i < 8; ++i) {
      waiting.push_back(begin("x"));
      waiting.back()->stream->WritesDone();
    }
    return waiting;
  };
  const auto gone = fill();
  ASSERT_TRUE(are_waiting(8));
  for (const auto& upload : gone) {
    upload->context.TryCancel();
    EXPECT_EQ(upload->stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  const auto waiting = fill();
  ASSERT_TRUE(are_waiting(16)) << "those who have gone make room where it is needed";
  running->context.TryCancel();
  EXPECT_FALSE(running->stream->Finish().ok());
  for (const auto& upload : waiting) EXPECT_EQ(reason_of(upload->stream->Finish()), "OK");
}

}  // namespace
}  // namespace sweepd::app::verification_places_test
