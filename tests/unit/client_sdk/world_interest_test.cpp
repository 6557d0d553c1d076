// SPDX-License-Identifier: MIT
//
// Protects a session that asks for another part of the world: what the server refuses is taken back, and does
// not end the stream when that comes back.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "fake_server.h"
#include "world_asks.h"

namespace sweepd::testing::world_interest_test {
namespace {

using internal::WorldAsks;

/// Interests are told apart by their every_ticks. The server refuses this one,
constexpr std::uint32_t kRefused = 33;
/// and says nothing to this one.
constexpr std::uint32_t kUnanswered = 44;
/// The frame of this tick makes it break the stream.
constexpr Tick kBreakAt = 99;

const grpc::Status kBroken(grpc::StatusCode::UNAVAILABLE, "broken");

WorldInterest interest(std::uint32_t every_ticks) { return {.every_ticks = every_ticks}; }

v1::WorldInterest message(std::uint32_t every_ticks) {
  v1::WorldInterest message;
  message.set_every_ticks(every_ticks);
  return message;
}

/// Lets alice in, and answers what she asks of the world.
class WorldServer {
 public:
  WorldServer() : server_([this](auto&, auto& stream) { return play(stream); }) {}

  Session join(std::optional<WorldInterest> world, std::size_t frames_queued_max = 64) {
    JoinOptions options{.match_id = "m", .name = "alice"};
    options.reconnect = {std::chrono::seconds(20), std::chrono::milliseconds(1),
                         std::chrono::milliseconds(5)};
    options.frames_queued_max = frames_queued_max;
    options.world = std::move(world);
    return server_.client().join(options);
  }
  void keep_out() { lets_in_ = false; }
  void let_in() { lets_in_ = true; }
  /// What was asked for by joins that were let in, 0: nothing; and after them.
  std::vector<std::uint32_t> joined_with() const {
    const std::lock_guard lock(mutex_);
    return joined_with_;
  }
  std::vector<std::uint32_t> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  grpc::Status play(FakeServer::PlayStream& stream) {
    v1::PlayRequest request;
    stream.Read(&request);
    if (!lets_in_) return kBroken;
    let_in(request.join(), stream);
    while (stream.Read(&request)) {
      if (request.has_world()) answer(request.world().every_ticks(), stream);
      if (request.frame().tick() == kBreakAt) return kBroken;
    }
    return grpc::Status::OK;
  }

  void let_in(const v1::Join& join, FakeServer::PlayStream& stream) {
    v1::PlayResponse response = joined_response();
    v1::Joined& joined = *response.mutable_joined();
    joined.mutable_match()->mutable_config()->set_reconnect_ticks(300);
    joined.set_reconnect_token("0123456789abcdef");
    joined.set_epoch(77);
    const std::lock_guard lock(mutex_);
    joined.set_resumed(!joined_with_.empty());
    joined_with_.push_back(join.has_world() ? join.world().every_ticks() : 0);
    stream.Write(response);
  }

  void answer(std::uint32_t every_ticks, FakeServer::PlayStream& stream) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(every_ticks);
    if (every_ticks == kUnanswered) return;
    v1::PlayResponse response = update_response(++tick_, 0, 0);
    if (every_ticks == kRefused) {
      v1::Rejection& rejection = *response.mutable_update()->add_rejections();
      rejection.set_reason(v1::REJECTION_REASON_MALFORMED);
      rejection.set_field("world.every_ticks");
    } else {
      v1::WorldTick tick;
      tick.set_tick(tick_);
      tick.set_is_snapshot(true);
      response.mutable_update()->add_world(tick.SerializeAsString());
    }
    stream.Write(response);
  }

  std::atomic<bool> lets_in_ = true;
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> joined_with_;
  std::vector<std::uint32_t> asked_;
  Tick tick_ = 0;
  FakeServer server_;  // Last: its threads use the others.
};

using Numbers = std::vector<std::uint32_t>;

/// Asks and waits for the answer.
void ask(Session& session, std::uint32_t every_ticks) {
  const Tick before = session.tick();
  ASSERT_TRUE(session.ask_for_world(interest(every_ticks)).ok());
  ASSERT_TRUE(eventually([&] { return session.tick() > before; })) << session.error().message();
}

/// The stream breaks, and has come back as many times as it has joined less one.
void come_back(WorldServer& server, Session& session, std::size_t joins) {
  ASSERT_TRUE(session.end_frame(kBreakAt).ok());
  ASSERT_TRUE(eventually([&] { return server.joined_with().size() == joins; })) << session.error().message();
  ASSERT_TRUE(eventually(session, SessionState::kJoined)) << session.error().message();
}

TEST(WorldInterest, WhatWasRefusedIsNotAskedForWhenTheStreamComesBack) {
  WorldServer server;
  Session session = server.join(interest(1));
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  ask(session, 2);
  ask(session, kRefused);
  EXPECT_EQ(session.poll_rejection()->field, "world.every_ticks");
  come_back(server, session, 2);
  EXPECT_EQ(server.joined_with(), (Numbers{1, 2}));
  ask(session, 5);
  come_back(server, session, 3);
  EXPECT_EQ(server.joined_with(), (Numbers{1, 2, 5}));
  EXPECT_EQ(server.asked(), (Numbers{2, kRefused, 5}));
}

TEST(WorldInterest, WhoseOnlyAskWasRefusedComesBackWithoutAWorld) {
  WorldServer server;
  Session session = server.join(std::nullopt);
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  ask(session, kRefused);
  come_back(server, session, 2);
  EXPECT_EQ(server.joined_with(), (Numbers{0, 0}));
}

TEST(WorldInterest, WhatWasNotAnsweredIsAskedForAgainBehindTheJoin) {
  WorldServer server;
  Session session = server.join(interest(1));
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  ASSERT_TRUE(session.ask_for_world(interest(kUnanswered)).ok());
  come_back(server, session, 2);
  EXPECT_EQ(server.joined_with(), (Numbers{1, 1}));
  EXPECT_TRUE(eventually([&] { return server.asked() == Numbers{kUnanswered, kUnanswered}; }));
}

TEST(WorldInterest, WhatIsAskedWhileTheStreamIsAwayGoesOutOnceAndOnlyIfThereWasRoom) {
  WorldServer server;
  Session session = server.join(interest(1), 2);
  ASSERT_TRUE(eventually(session, SessionState::kJoined));
  server.keep_out();
  ASSERT_TRUE(session.end_frame(kBreakAt).ok());
  ASSERT_TRUE(eventually(session, SessionState::kReconnecting));
  ASSERT_TRUE(session.ask_for_world(interest(kRefused)).ok());
  ASSERT_TRUE(session.ask_for_world(interest(7)).ok());
  EXPECT_EQ(session.ask_for_world(interest(8)).code(), ErrorCode::kQueueFull);
  server.let_in();
  ASSERT_TRUE(eventually([&] { return session.tick() > 0; })) << session.error().message();
  EXPECT_EQ(server.joined_with(), (Numbers{1, 1}));
  EXPECT_EQ(server.asked(), Numbers{7});
  come_back(server, session, 3);
  EXPECT_EQ(server.joined_with(), (Numbers{1, 1, 7}));
}

class WorldAsksTest : public ::testing::Test {
 protected:
  WorldAsksTest() { asks_.begin_with(message(1)); }
  void ask(std::initializer_list<std::uint32_t> all) {
    for (const std::uint32_t one : all) asks_.ask(message(one));
  }
  std::uint32_t taken() const { return asks_.taken()->every_ticks(); }
  std::uint32_t again() {
    const auto interest = asks_.ask_again();
    return interest ? interest->every_ticks() : 0;
  }

  WorldAsks asks_;
};

TEST_F(WorldAsksTest, ASnapshotAnswersAllThatWait) {
  ask({2, 3});
  asks_.note_snapshot();
  EXPECT_EQ(taken(), 3u);
  EXPECT_EQ(again(), 0u);
}

TEST_F(WorldAsksTest, WhereAllAreRefusedItIsAsBefore) {
  ask({2, 3});
  asks_.note_refusal();
  asks_.note_refusal();
  EXPECT_EQ(taken(), 1u);
  EXPECT_EQ(asks_.latest()->every_ticks(), 1u);
  EXPECT_EQ(again(), 0u);
}

TEST_F(WorldAsksTest, OneOfSeveralThatIsRefusedLeavesADoubtUntilItIsAskedAlone) {
  ask({2, 3});
  asks_.note_refusal();
  asks_.note_snapshot();
  EXPECT_EQ(taken(), 1u) << "the server surely takes this one";
  EXPECT_EQ(again(), 3u);
  asks_.note_snapshot();
  EXPECT_EQ(taken(), 3u);
}

TEST_F(WorldAsksTest, ADoubtEndsWithTheNextAsk) {
  ask({2, 3});
  asks_.note_refusal();
  asks_.note_snapshot();
  ask({4});
  asks_.note_snapshot();
  EXPECT_EQ(taken(), 4u);
  EXPECT_EQ(again(), 0u);
}

TEST_F(WorldAsksTest, ASnapshotOfAnotherCauseIsFoundOutByTheRefusal) {
  ask({2});
  asks_.note_snapshot();
  asks_.note_refusal();
  EXPECT_EQ(taken(), 1u);
  EXPECT_EQ(asks_.latest()->every_ticks(), 1u);
}

TEST_F(WorldAsksTest, RejectionsThatAreNotListedMayBeItsOwn) {
  asks_.note_doubt();
  EXPECT_EQ(again(), 0u) << "nothing waits";
  ask({2});
  asks_.note_doubt();
  asks_.note_snapshot();
  EXPECT_EQ(taken(), 1u);
  EXPECT_EQ(again(), 2u);
}

}  // namespace
}  // namespace sweepd::testing::world_interest_test
