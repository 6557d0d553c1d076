// SPDX-License-Identifier: MIT
//
// Protects what somebody who comes back is told of the things that a crash undid: never less than what it has
// seen and what did not happen.
#include "runtime/match/lives.h"

#include <gtest/gtest.h>

namespace sweepd::runtime::lives_test {
namespace {

Lives lives_of(const std::vector<Lives::Life>& all) {
  Lives lives;
  for (const Lives::Life& life : all) lives.begin(life);
  return lives;
}

using Undone = Lives::Undone;

TEST(Lives, UndoNothingOfTheOneThatGoesOn) {
  const Lives lives = lives_of({{11, 0, 0}, {12, 100, 50}});
  EXPECT_EQ(lives.epoch(), 12u);
  EXPECT_FALSE(lives.undone({.epoch = 12, .last_sequence_number = 999, .last_tick = 999}));
}

TEST(Lives, UndoWhatIsAfterTheBeginningOfTheNext) {
  const Lives lives = lives_of({{11, 0, 0}, {12, 100, 50}});
  EXPECT_EQ(lives.undone({.epoch = 11, .last_sequence_number = 50, .last_tick = 101}), (Undone{100, 50}));
  EXPECT_EQ(lives.undone({.epoch = 11, .last_sequence_number = 51, .last_tick = 100}), (Undone{100, 50}));
  EXPECT_FALSE(lives.undone({.epoch = 11, .last_sequence_number = 50, .last_tick = 100}));
}

TEST(Lives, OfSeveralCrashesTheEarliestBeginningCounts) {
  const Lives lives = lives_of({{11, 0, 0}, {12, 100, 50}, {13, 80, 40}, {14, 300, 200}});
  EXPECT_EQ(lives.undone({.epoch = 11, .last_sequence_number = 45, .last_tick = 90}), (Undone{80, 40}));
  EXPECT_EQ(lives.undone({.epoch = 12, .last_sequence_number = 60, .last_tick = 120}), (Undone{80, 40}));
  EXPECT_EQ(lives.undone({.epoch = 13, .last_sequence_number = 250, .last_tick = 310}), (Undone{300, 200}));
  EXPECT_FALSE(lives.undone({.epoch = 13, .last_sequence_number = 200, .last_tick = 300}));
}

TEST(Lives, TellHowManyDurableTicksDamageHasCostSince) {
  const Lives lives = lives_of({{11, 0, 0}, {12, 100, 50, 30}, {13, 80, 40}, {14, 300, 200, 4}});
  EXPECT_EQ(lives.undone({.epoch = 11, .last_sequence_number = 45, .last_tick = 90})->lost_ticks, 34u);
  EXPECT_EQ(lives.undone({.epoch = 12, .last_sequence_number = 60, .last_tick = 120})->lost_ticks, 4u);
  EXPECT_EQ(lives.lost_ticks(), 34u);
}

TEST(Lives, WhatWasLostIsKnownAfterItsLifeIsForgotten) {
  Lives lives = lives_of({{1, 0, 0}, {2, 5, 5, 7}});
  for (std::uint64_t i = 3; i <= 3 * Lives::kKeptMax; ++i) lives.begin({i, 10 * i, 10 * i});
  EXPECT_EQ(lives.lost_ticks(), 7u);
}

// It may be one that has been forgotten, or that never got to the disk: nobody is told that all he saw holds.
TEST(Lives, OfAnUnknownEpochEverythingSinceTheFirstReturnIsUndone) {
  EXPECT_EQ(lives_of({{11, 0, 0}, {12, 3, 2}, {13, 1, 1}})
                .undone({.epoch = 99, .last_sequence_number = 5, .last_tick = 5}),
            (Undone{1, 1}));
  EXPECT_FALSE(
      lives_of({{11, 0, 0}, {12, 3, 2}}).undone({.epoch = 99, .last_sequence_number = 2, .last_tick = 3}));
}

TEST(Lives, AMatchThatNeverReturnedHasUndoneNothing) {
  EXPECT_FALSE(lives_of({{11, 0, 0}}).undone({.epoch = 99, .last_sequence_number = 5, .last_tick = 5}));
  EXPECT_FALSE(Lives().undone({.epoch = 99, .last_sequence_number = 5, .last_tick = 5}));
  EXPECT_EQ(Lives().epoch(), 0u);
}

TEST(Lives, TheOldestIsForgottenBeforeTheyAreTooMany) {
  Lives lives;
  for (std::uint64_t i = 1; i <= Lives::kKeptMax + 1; ++i) lives.begin({i, 10 * i, 10 * i});
  EXPECT_EQ(lives.all().size(), Lives::kKeptMax);
  EXPECT_EQ(lives.all().front().epoch, 2u);
  EXPECT_EQ(lives.epoch(), Lives::kKeptMax + 1);
}

}  // namespace
}  // namespace sweepd::runtime::lives_test
