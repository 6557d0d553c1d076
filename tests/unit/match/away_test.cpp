// SPDX-License-Identifier: MIT
//
// Protects the seat of who lost its connection: how long it is kept, what happens meanwhile, and what the
// others notice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/match/match_builders.h"

namespace sweepd::match::away_test {
namespace {

using ::testing::ElementsAre;

MatchConfig config_with(std::uint32_t reconnect_ticks) {
  MatchConfig config = small_config();
  config.reconnect_ticks = reconnect_ticks;
  return config;
}

class Absence : public ::testing::Test {
 protected:
  /// Ann with a ship that an enemy of the stage touches; one tick has run.
  void begin(std::uint32_t reconnect_ticks) {
    match_ = make_match(config_with(reconnect_ticks));
    ann_ = join(*match_, "ann");
    stage_ = join(*match_, "stage", Role::kStage);
    submit(*match_, ann_, spawn_frame(object_at(ann_.first_id, {0, 0}, 0), 1));
    submit(*match_, stage_, spawn_frame(object_at(stage_.first_id, {0, 0}, 1), 1));
    match_->step();
  }

  /// The events of `ticks` ticks.
  std::vector<std::string> step(int ticks) {
    std::vector<std::string> texts;
    for (int i = 0; i < ticks; ++i) {
      for (std::string& text : event_texts(match_->step().events)) texts.push_back(std::move(text));
    }
    return texts;
  }

  std::unique_ptr<Match> match_;
  Participant ann_;
  Participant stage_;
};

TEST_F(Absence, ItsObjectsStayForTheTicksOfTheConfigAndLeaveInTheNext) {
  begin(5);
  match_->apply(Away{ann_.number});
  EXPECT_THAT(step(5), ElementsAre());
  EXPECT_TRUE(match_->find_participant(ann_.number)->is_away);
  EXPECT_THAT(step(1), ElementsAre("7 EXIT(8) 1 1048577"));
  EXPECT_FALSE(match_->find_participant(ann_.number));
}

TEST_F(Absence, WhoIsBackInTheLastOfThemStays) {
  begin(5);
  match_->apply(Away{ann_.number});
  step(5);
  EXPECT_TRUE(match_->apply(Back{ann_.number}));
  EXPECT_THAT(step(20), ElementsAre());
  match_->apply(Away{ann_.number});
  EXPECT_THAT(step(5), ElementsAre()) << "the time begins anew";
  step(1);
  EXPECT_FALSE(match_->apply(Back{ann_.number})) << "one tick later it is too late";
}

TEST_F(Absence, With0ReconnectTicksItLeavesAtOnce) {
  begin(0);
  match_->apply(Away{ann_.number});
  EXPECT_FALSE(match_->find_participant(ann_.number));
  EXPECT_THAT(step(1), ElementsAre("2 EXIT(8) 1 1048577"));
}

TEST_F(Absence, FramesThatWaitedStillApply) {
  begin(5);
  Frame frame = move_frame(ann_.first_id, {1000, 0});
  frame.tick = 4;
  submit(*match_, ann_, frame);
  match_->apply(Away{ann_.number});
  EXPECT_THAT(step(5), ElementsAre("4 EXIT(1) 1 1048577"));
}

TEST_F(Absence, TheSeatAndItsNameStayReserved) {
  begin(5);
  match_->apply(Away{ann_.number});
  EXPECT_EQ(join_error(*match_, "ann"), JoinError::kNameTaken);
  EXPECT_EQ(join(*match_, "bob").number, 2u);
}

TEST_F(Absence, NoMatchWaitsForItsFrames) {
  begin(5);
  submit(*match_, stage_, {});
  EXPECT_FALSE(match_->frames_are_in());
  match_->apply(Away{ann_.number});
  EXPECT_TRUE(match_->frames_are_in());
  EXPECT_TRUE(match_->apply(Back{ann_.number}));
  EXPECT_FALSE(match_->frames_are_in());
}

TEST_F(Absence, ASecondBreakDoesNotBeginTheTimeAnew) {
  begin(5);
  match_->apply(Away{ann_.number});
  step(4);
  match_->apply(Away{ann_.number});
  EXPECT_THAT(step(2), ElementsAre("7 EXIT(8) 1 1048577"));
}

TEST_F(Absence, OnlyTheDepartureEntersTheDigest) {
  begin(5);
  const std::uint64_t start = match_->digest();
  match_->apply(Away{ann_.number});
  step(3);
  match_->apply(Back{ann_.number});
  step(3);
  const std::uint64_t away_and_back = match_->digest();
  begin(5);
  ASSERT_EQ(match_->digest(), start);
  step(6);
  EXPECT_EQ(match_->digest(), away_and_back);
  match_->apply(Away{ann_.number});
  step(6);
  const std::uint64_t departed = match_->digest();
  begin(0);
  step(11);
  match_->apply(Leave{ann_.number});
  step(1);
  EXPECT_EQ(match_->digest(), departed) << "given up or expired is the same";
}

TEST_F(Absence, StrangersAndTheEndAreIgnored) {
  begin(5);
  match_->apply(Away{17});
  EXPECT_FALSE(match_->apply(Back{17}));
  match_->end();
  match_->apply(Away{ann_.number});
  EXPECT_FALSE(match_->find_participant(ann_.number)->is_away);
  EXPECT_FALSE(match_->apply(Back{ann_.number}));
}

}  // namespace
}  // namespace sweepd::match::away_test
