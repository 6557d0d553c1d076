// SPDX-License-Identifier: MIT
//
// Protects the pace of ticks that no time makes due: they run as soon as they can and never before, in slices
// that leave the loop to others, and steps wait for readers and the journal without hanging on either.
#include "runtime/match/tick_pacer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::tick_pacer_test {
namespace {

using match::ClockKind;

/// A match, its clock and a pacer on a loop whose clock only ticks move.
class Paced {
 public:
  Paced(Loop& loop, TimePoint& now, ClockKind kind)
      : now_(now),
        match_(std::move(*match::Match::create(config_with(kind)))),
        clock_(loop, match_->config(), [] {}),
        pacer_(loop, *match_, clock_,
               {.run_tick = [this] { run_tick(); },
                .are_all_told = [this] { return are_all_told; },
                .is_any_subscriber_behind = [this] { return is_behind; },
                .is_journal_full = [this] { return is_journal_full; }}) {}

  match::Match& match() { return *match_; }
  match::Tick tick() const { return match_->tick(); }
  MatchClock& clock() { return clock_; }
  TickPacer& pacer() { return pacer_; }

  void step(std::uint32_t ticks, bool wait_for_frames = false) {
    pacer_.step(++steps_, {ticks, wait_for_frames},
                [this](const auto& result) { answers.push_back(result); });
  }

  bool are_all_told = true;
  bool is_behind = false;
  bool is_journal_full = false;
  match::Tick ends_in = 0;  ///< 0: no tick is the last.
  Duration tick_time{};
  std::vector<base::Result<StepResult, StepError>> answers;

 private:
  void run_tick() {
    now_ += tick_time;
    if (tick() + 1 != ends_in) {
      match_->step();
      return;
    }
    match_->end();
    pacer_.end();
  }

  TimePoint& now_;
  const std::unique_ptr<match::Match> match_;
  MatchClock clock_;
  StepId steps_ = 0;
  TickPacer pacer_;
};

class TickPacerTest : public ::testing::Test {
 protected:
  /// Two steps are asked for, and none runs until what holds them up is over.
  void expect_steps_wait_while(bool& holds_up) {
    holds_up = true;
    manual_.step(2);
    run_rounds(5);
    EXPECT_EQ(manual_.tick(), 0u);
    holds_up = false;
  }

  void run_rounds(int count) {
    for (int i = 0; i < count; ++i) loop_.run_round();
  }

  /// Timers go by the clock of the machine.
  bool eventually(const std::function<bool()>& condition) {
    for (const auto end = steady_now() + seconds(20); !condition();) {
      if (steady_now() > end) return false;
      loop_.run_round();
    }
    return true;
  }

  TimePoint now_{seconds(1000)};
  FakePoller poller_;
  Loop loop_{poller_, [this] { return now_; }};
  FakePoller other_poller_;
  Loop other_loop_{other_poller_, [this] { return now_; }};
  Paced manual_{loop_, now_, ClockKind::kManual};
};

TEST_F(TickPacerTest, AStepIsAnsweredWithWhereItHasCome) {
  manual_.step(3);
  EXPECT_EQ(manual_.tick(), 0u) << "others have their turn first";
  EXPECT_TRUE(manual_.pacer().has_steps());
  run_rounds(2);
  ASSERT_EQ(manual_.answers.size(), 1u);
  EXPECT_EQ(manual_.answers[0]->tick, 3u);
  EXPECT_EQ(manual_.answers[0]->digest, manual_.match().digest());
  EXPECT_FALSE(manual_.pacer().has_steps());
}

TEST_F(TickPacerTest, ALongStepTakesAMillisecondOfARound) {
  manual_.tick_time = std::chrono::microseconds(250);
  manual_.step(20);
  loop_.run_round();
  EXPECT_EQ(manual_.tick(), 4u);
  run_rounds(10);
  EXPECT_EQ(manual_.tick(), 20u);
}

TEST_F(TickPacerTest, TicksThatTakeNoTimeAreCountedInstead) {
  manual_.step(1000);
  loop_.run_round();
  EXPECT_EQ(manual_.tick(), 256u);
  run_rounds(10);
  EXPECT_EQ(manual_.tick(), 1000u);
}

TEST_F(TickPacerTest, OnlyARunningManualClockTakesSteps) {
  EXPECT_EQ(manual_.pacer().find_step_error(), std::nullopt);
  manual_.clock().control({.is_paused = true});
  EXPECT_EQ(manual_.pacer().find_step_error(), StepError::kMatchPaused);
  Paced realtime(loop_, now_, ClockKind::kRealtime);
  EXPECT_EQ(realtime.pacer().find_step_error(), StepError::kClockNotManual);
}

TEST_F(TickPacerTest, APauseHoldsStepsUp) {
  manual_.step(2);
  manual_.clock().control({.is_paused = true});
  run_rounds(3);
  EXPECT_EQ(manual_.tick(), 0u);
  manual_.clock().control({.is_paused = false});
  manual_.pacer().run_ticks_if_due();
  run_rounds(3);
  EXPECT_EQ(manual_.tick(), 2u);
}

TEST_F(TickPacerTest, NoTickRunsBeforeAllHaveBeenToldOfTheOneBefore) {
  manual_.are_all_told = false;
  manual_.step(2);
  run_rounds(5);
  EXPECT_EQ(manual_.tick(), 0u);
  manual_.are_all_told = true;
  manual_.pacer().run_ticks_if_due();
  run_rounds(5);
  EXPECT_EQ(manual_.tick(), 2u);
}

TEST_F(TickPacerTest, StepsWaitForASubscriberUntilItHasCaughtUp) {
  expect_steps_wait_while(manual_.is_behind);
  run_rounds(5);
  EXPECT_EQ(manual_.tick(), 0u) << "it is for the subscriber to say so";
  manual_.pacer().resume_ticks();
  run_rounds(5);
  EXPECT_EQ(manual_.tick(), 2u);
}

TEST_F(TickPacerTest, PatienceEndsAndBeginsAnewWithTheNextThatCatchesUp) {
  manual_.is_behind = true;
  manual_.step(2);
  EXPECT_TRUE(eventually([&] { return manual_.tick() == 2; }));
  manual_.step(1);
  run_rounds(3);
  EXPECT_EQ(manual_.tick(), 3u) << "the one that has stopped is not waited for again";
  manual_.pacer().resume_ticks();
  manual_.step(1);
  run_rounds(3);
  EXPECT_EQ(manual_.tick(), 3u);
}

TEST_F(TickPacerTest, StepsWaitForAJournalThatIsFullAndGoOnByThemselves) {
  expect_steps_wait_while(manual_.is_journal_full);
  EXPECT_TRUE(eventually([&] { return manual_.tick() == 2; }));
}

TEST_F(TickPacerTest, InLockstepTicksWaitForFramesAndForNothingElse) {
  Paced lockstep(loop_, now_, ClockKind::kLockstep);
  const auto player = lockstep.match().apply(match::Join{"ann", Role::kPlayer});
  ASSERT_TRUE(player.ok());
  lockstep.is_behind = true;
  lockstep.is_journal_full = true;
  const auto submit = [&] {
    ASSERT_FALSE(lockstep.match().apply(match::Submission{player->number, {}}));
    lockstep.pacer().run_ticks_if_due();
    run_rounds(2);
  };
  submit();
  EXPECT_EQ(lockstep.tick(), 0u) << "the clock has not started";
  lockstep.clock().start();
  lockstep.pacer().run_ticks_if_due();
  run_rounds(2);
  EXPECT_EQ(lockstep.tick(), 1u);
  lockstep.pacer().run_ticks_if_due();
  run_rounds(2);
  EXPECT_EQ(lockstep.tick(), 1u) << "there is no frame for the next";
  submit();
  EXPECT_EQ(lockstep.tick(), 2u);
}

TEST_F(TickPacerTest, NoTickRunsAfterTheLastAndItsStepFails) {
  manual_.ends_in = 3;
  manual_.step(10);
  manual_.step(1);
  run_rounds(5);
  EXPECT_EQ(manual_.tick(), 3u);
  ASSERT_EQ(manual_.answers.size(), 2u);
  EXPECT_EQ(manual_.answers[0].error(), StepError::kMatchEnded);
  EXPECT_EQ(manual_.answers[1].error(), StepError::kMatchEnded);
}

TEST_F(TickPacerTest, TheNextSliceRunsOnTheLoopThatItHasMovedTo) {
  manual_.step(300);
  loop_.run_round();
  ASSERT_EQ(manual_.tick(), 256u);
  manual_.pacer().move_to(other_loop_);
  run_rounds(3);
  EXPECT_EQ(manual_.tick(), 256u);
  for (int i = 0; i < 3; ++i) other_loop_.run_round();
  EXPECT_EQ(manual_.tick(), 300u);
  EXPECT_EQ(manual_.answers.size(), 1u);
}

TEST_F(TickPacerTest, ASliceThatWaitsIsForgottenWithItsPacer) {
  {
    Paced gone(loop_, now_, ClockKind::kManual);
    gone.step(1);
  }
  run_rounds(3);  // Would touch freed memory.
  manual_.step(1);
  run_rounds(3);
  EXPECT_EQ(manual_.tick(), 1u);
}

}  // namespace
}  // namespace sweepd::runtime::tick_pacer_test
