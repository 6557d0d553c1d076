// SPDX-License-Identifier: MIT
//
// Protects streams that follow a match over the loops: each event is handled once and where the stream lives
// by then, and the stream goes when it has all its events back, in any order.
#include "session/match_stream.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "session/watch_stream.h"
#include "unit/session/fake_pipe.h"

namespace sweepd::session::match_stream_test {
namespace {

/// Takes so long to be told the end that others have to wait for their turn.
class SlowFollower final : public runtime::Subscriber {
 public:
  void tick_has_run() override {}
  void match_ended(const runtime::MatchHost&) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  void replaced() override {}
  bool is_behind() const override { return false; }
};

/// A Watch that came in on one loop, of a match on the other.
class MatchStreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    match::MatchConfig config;
    config.layers = {"ship"};
    config.clock = match::ClockKind::kManual;
    host_ = &home().matches().add(place_->id, std::move(match::Match::create(config).value()));
  }

  void TearDown() override {
    if (auto* const host = loops_[0].matches().find(place_->id)) host->end();
    if (auto* const host = loops_[1].matches().find(place_->id)) host->end();
    loops_.run_all();
    EXPECT_EQ(pipe_.closes, 1);
    EXPECT_EQ(accepting().calls(), 0u);
    EXPECT_EQ(loops_.backend.watch_streams, 0u);
  }

  MatchLoop& home() { return loops_[place_->loop]; }
  MatchLoop& accepting() { return loops_[1 - place_->loop]; }
  WatchStream& stream() { return pipe_.stream(); }

  void arrive() {
    v1::WatchRequest request;
    request.set_match_id(place_->id);
    pipe_.bytes.text = request.SerializeAsString();
    stream().arrive(loops_.origin());
  }

  /// Until it has been told that it follows, which is still being written.
  void follow() {
    arrive();
    EXPECT_TRUE(pipe_.written.empty());
    loops_.run_all();
    ASSERT_EQ(pipe_.written.size(), 1u);
    EXPECT_TRUE(pipe_.written[0].has_started());
  }

  void tell(StreamEvent event, bool ok) { stream().ended(event, ok); }

  /// The client takes all that is written, and what comes then.
  void take_all() {
    for (; taken_ < pipe_.written.size(); loops_.run_all()) {
      ++taken_;
      tell(StreamEvent::kWritten, true);
    }
  }

  /// The match is over, and the stream has yet to be told its end, after one that will take its time, too.
  void end_without_its_turn() {
    for (SlowFollower& slow : slow_) host_->watch(slow, {});
    follow();
    take_all();
    host_->end();
    EXPECT_FALSE(pipe_.written.back().has_ended());
  }

  void take_the_end() {
    take_all();
    EXPECT_TRUE(pipe_.written.back().has_ended());
    ASSERT_EQ(pipe_.finished.size(), 1u);
    EXPECT_TRUE(pipe_.finished[0].ok());
    tell(StreamEvent::kFinished, true);
    tell(StreamEvent::kDone, true);
  }

  /// What is posted to that loop alone. On a slow machine a round leaves some of it to the next.
  static void run_rounds(MatchLoop& loop) {
    for (int i = 0; i < 100; ++i) loop.loop().run_round();
  }

  std::array<SlowFollower, 2> slow_;
  IdleLoops loops_;
  const std::optional<runtime::MatchPlace> place_ = loops_.backend.registry.add();
  runtime::MatchHost* host_ = nullptr;
  FakePipe<WatchStream> pipe_{accepting()};

 private:
  std::size_t taken_ = 0;  ///< Of what was written.
};

TEST_F(MatchStreamTest, TellsTheEndOfItsMatchAndThenOk) {
  follow();
  take_all();
  host_->end();
  take_the_end();
}

TEST_F(MatchStreamTest, IsToldTheEndWhenItsTurnComesAndBeatsUntilThen) {
  end_without_its_turn();
  auto& live = static_cast<LiveStream&>(stream());
  live.beat();  // It has written since the one before.
  live.beat();
  EXPECT_TRUE(pipe_.written.back().has_heartbeat());
  loops_.run_all();
  take_the_end();
}

TEST_F(MatchStreamTest, MayBeGoneBeforeItsTurnToBeToldTheEndComes) {
  end_without_its_turn();
  tell(StreamEvent::kDone, false);
  loops_.run_all();
  EXPECT_FALSE(pipe_.written.back().has_ended());
  EXPECT_TRUE(pipe_.finished.empty());
}

TEST_F(MatchStreamTest, IsToldThatTheServerShutsDownInPlaceOfTheEndOfItsMatch) {
  end_without_its_turn();
  static_cast<LiveStream&>(stream()).shut_down();
  loops_.run_all();
  EXPECT_FALSE(pipe_.written.back().has_ended());
  ASSERT_EQ(pipe_.finished.size(), 1u);
  EXPECT_EQ(pipe_.finished[0].code(), Code::kUnavailable);
  tell(StreamEvent::kFinished, true);
  tell(StreamEvent::kDone, true);
}

TEST_F(MatchStreamTest, HandlesAnEventAtItsNewHomeWhereItMovesMeanwhile) {
  follow();
  tell(StreamEvent::kWritten, true);  // Posted to the home that it has by now.
  home().matches().move(place_->id, accepting().matches(), accepting().index());
  host_->end();
  EXPECT_EQ(pipe_.written.size(), 1u);
  run_rounds(home());
  EXPECT_EQ(pipe_.written.size(), 1u) << "handled where it does not live any more";
  run_rounds(accepting());
  ASSERT_EQ(pipe_.written.size(), 2u);
  tell(StreamEvent::kWritten, true);
  EXPECT_GT(pipe_.written.size() + pipe_.finished.size(), 2u) << "its home is where it came in";
  for (std::size_t taken = 2; taken < pipe_.written.size(); ++taken) tell(StreamEvent::kWritten, true);
  EXPECT_EQ(pipe_.finished.size(), 1u);
  tell(StreamEvent::kFinished, true);
  tell(StreamEvent::kDone, true);
}

TEST_F(MatchStreamTest, MayHearThatItIsDoneBeforeTheWriteThatThisEnds) {
  follow();
  tell(StreamEvent::kDone, false);
  loops_.run_all();
  EXPECT_EQ(pipe_.closes, 0);
  tell(StreamEvent::kWritten, false);
  loops_.run_all();
  EXPECT_EQ(pipe_.closes, 1);
  EXPECT_TRUE(pipe_.finished.empty());
}

TEST_F(MatchStreamTest, BeginsNothingWhenAWriteComesBackAfterTheEnd) {
  follow();
  tell(StreamEvent::kDone, false);
  tell(StreamEvent::kWritten, true);
  host_->end();
  loops_.run_all();
  EXPECT_EQ(pipe_.written.size(), 1u);
  EXPECT_TRUE(pipe_.finished.empty());
}

TEST_F(MatchStreamTest, IsToldThatTheServerShutsDownOnceTheWriteIsBack) {
  follow();
  static_cast<LiveStream&>(stream()).shut_down();
  EXPECT_TRUE(pipe_.finished.empty());
  tell(StreamEvent::kWritten, true);
  loops_.run_all();
  ASSERT_EQ(pipe_.finished.size(), 1u);
  EXPECT_EQ(pipe_.finished[0].code(), Code::kUnavailable);
  tell(StreamEvent::kDone, true);
  tell(StreamEvent::kFinished, true);
}

TEST_F(MatchStreamTest, IsRefusedWhereTheServerShutsDownWhileItIsOnItsWay) {
  arrive();
  loops_.backend.is_shutting_down = true;
  loops_.run_all();
  EXPECT_TRUE(pipe_.written.empty());
  ASSERT_EQ(pipe_.finished.size(), 1u);
  EXPECT_EQ(pipe_.finished[0].code(), Code::kUnavailable);
  tell(StreamEvent::kFinished, true);
  tell(StreamEvent::kDone, true);
}

TEST_F(MatchStreamTest, IsRefusedAtOnceWhereItArrivesAtAServerThatShutsDown) {
  loops_.backend.is_shutting_down = true;
  arrive();
  ASSERT_EQ(pipe_.finished.size(), 1u);
  EXPECT_EQ(pipe_.finished[0].code(), Code::kUnavailable);
  tell(StreamEvent::kFinished, true);
  tell(StreamEvent::kDone, true);
}

TEST_F(MatchStreamTest, LooksAgainForAMatchThatMovesWhileItIsOnItsWay) {
  arrive();
  home().matches().move(place_->id, accepting().matches(), accepting().index());
  loops_.run_all();
  ASSERT_EQ(pipe_.written.size(), 1u);
  EXPECT_TRUE(pipe_.written[0].has_started());
  tell(StreamEvent::kDone, false);
  tell(StreamEvent::kWritten, true);
}

TEST_F(MatchStreamTest, FindsNoMatchThatEndsWhileItIsOnItsWay) {
  arrive();
  host_->end();
  loops_.run_all();
  ASSERT_EQ(pipe_.finished.size(), 1u);
  EXPECT_EQ(pipe_.finished[0].code(), Code::kNotFound);
  tell(StreamEvent::kDone, true);
  tell(StreamEvent::kFinished, true);
}

}  // namespace
}  // namespace sweepd::session::match_stream_test
