// SPDX-License-Identifier: MIT
//
// Protects a game from a link that is dead and does not say so: the SDK tells how long nothing has come, and
// comes back by itself where the server had promised to be heard.
#include <gtest/gtest.h>

#include <atomic>

#include "fake_server.h"

namespace sweepd::testing::silence_test {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kHeartbeat{50};
constexpr milliseconds kSilence{300};

v1::PlayResponse seat(milliseconds heartbeat) {
  v1::PlayResponse response = joined_response();
  v1::Joined& joined = *response.mutable_joined();
  joined.mutable_match()->mutable_config()->set_reconnect_ticks(300);
  joined.set_reconnect_token("0123456789abcdef");
  joined.set_epoch(7);
  joined.set_resumed(true);
  joined.set_heartbeat_ms(static_cast<std::uint32_t>(heartbeat.count()));
  return response;
}

JoinOptions alice(milliseconds silence_max = kSilence) {
  JoinOptions options{.match_id = "m", .name = "alice"};
  options.reconnect.first_pause = milliseconds(1);
  options.reconnect.silence_max = silence_max;
  return options;
}

/// A server that lets in, says nothing, or only that it is alive, and counts how often it was joined.
class Quiet {
 public:
  explicit Quiet(bool beats, milliseconds heartbeat = kHeartbeat)
      : server_(
            [this, beats, heartbeat](grpc::ServerContext& context, FakeServer::PlayStream& stream) {
              v1::PlayRequest join;
              stream.Read(&join);
              ++joins_;
              stream.Write(seat(heartbeat));
              v1::PlayResponse beat;
              beat.mutable_heartbeat();
              while (!context.IsCancelled()) {
                std::this_thread::sleep_for(milliseconds(10));
                if (beats) stream.Write(beat);
              }
              return grpc::Status::OK;
            },
            [this, heartbeat](grpc::ServerContext& context, grpc::ServerWriter<v1::WatchResponse>& writer) {
              ++joins_;
              v1::WatchResponse started;
              started.mutable_started()->set_epoch(7);
              started.mutable_started()->set_resumed(true);
              started.mutable_started()->set_heartbeat_ms(static_cast<std::uint32_t>(heartbeat.count()));
              writer.Write(started);
              while (!context.IsCancelled()) std::this_thread::sleep_for(milliseconds(10));
              return grpc::Status::OK;
            }) {}

  int joins() const { return joins_; }
  FakeServer& server() { return server_; }

 private:
  std::atomic<int> joins_ = 0;
  FakeServer server_;  // Last: its threads use the others.
};

TEST(Silence, AStreamThatIsSilentForTooLongIsComeBackTo) {
  Quiet quiet(false);
  Session session = quiet.server().client().join(alice());
  ASSERT_TRUE(eventually([&] { return quiet.joins() >= 3; })) << session.error().message();
  ASSERT_TRUE(eventually([&] { return session.poll_reconnection().has_value(); }));
}

TEST(Silence, AWatcherComesBackToo) {
  Quiet quiet(false);
  WatchOptions options{.match_id = "m"};
  options.reconnect.silence_max = kSilence;
  Watcher watcher = quiet.server().client().watch(options);
  ASSERT_TRUE(eventually([&] { return quiet.joins() >= 2; })) << watcher.error().message();
  ASSERT_TRUE(eventually([&] { return watcher.poll_reconnection().has_value(); }));
}

TEST(Silence, HeartbeatsKeepAStreamOnWhichNothingHappens) {
  Quiet quiet(true);
  Session session = quiet.server().client().join(alice(milliseconds(2'000)));
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  milliseconds longest{0};
  const auto end = std::chrono::steady_clock::now() + milliseconds(3'000);
  while (std::chrono::steady_clock::now() < end) {
    longest = std::max(longest, session.silent_for());
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(quiet.joins(), 1);
  EXPECT_LT(longest, milliseconds(2'000));
}

TEST(Silence, SilenceIsToldWhileItLastsAndByNoSessionThatIsOver) {
  Quiet quiet(false, milliseconds(0));
  Session session = quiet.server().client().join(alice());
  EXPECT_EQ(session.silent_for().count(), 0) << "before it has joined";
  ASSERT_TRUE(eventually([&] { return session.silent_for() > 2 * kSilence; }));
  EXPECT_EQ(session.state(), SessionState::kJoined) << "the server has promised nothing";
  EXPECT_EQ(quiet.joins(), 1);
  session.leave();
  EXPECT_EQ(session.silent_for().count(), 0);
}

TEST(Silence, ItIsNoReasonToGiveUpWhatCannotBeComeBackTo) {
  Quiet quiet(false);
  JoinOptions options = alice();
  options.reconnect.timeout = milliseconds(0);
  Session session = quiet.server().client().join(options);
  ASSERT_TRUE(eventually([&] { return session.silent_for() > 2 * kSilence; }));
  EXPECT_EQ(session.state(), SessionState::kJoined);
}

TEST(Silence, ItMayBeTakenForNothingAndIsNotNegative) {
  Quiet quiet(false);
  Session patient = quiet.server().client().join(alice(milliseconds(0)));
  ASSERT_TRUE(eventually([&] { return patient.silent_for() > 2 * kSilence; }));
  EXPECT_EQ(quiet.joins(), 1);
  Session refused = quiet.server().client().join(alice(milliseconds(-1)));
  EXPECT_EQ(refused.error().field(), "reconnect.silence_max");
}

}  // namespace
}  // namespace sweepd::testing::silence_test
