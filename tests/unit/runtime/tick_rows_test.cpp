// SPDX-License-Identifier: MIT
//
// Protects the other matches of a loop from a tick for which many frames bring much: what they may bring for
// one tick is bounded for the match, and no participant takes what another has its share of.
#include "runtime/match/tick_rows.h"

#include <gtest/gtest.h>

#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::tick_rows_test {
namespace {

match::MatchConfig config_of(std::uint32_t objects_max, std::uint32_t parts_max) {
  match::MatchConfig config = config_with(match::ClockKind::kManual);
  config.budgets.objects_max = objects_max;
  config.budgets.parts_max = parts_max;
  config.max_lead_ticks = 10;
  return config;
}

std::size_t one() { return 1; }
std::size_t four() { return 4; }

TEST(TickRows, ATickHasAsManyAsTheMatchMayHaveObjectsAndParts) {
  TickRows rows(config_of(40, 60));
  EXPECT_EQ(rows.most(), 100u);
  EXPECT_FALSE(rows.take({1, 7, 60}, 5, one));
  EXPECT_EQ(rows.take({1, 7, 41}, 5, one), 101u);
  EXPECT_FALSE(rows.take({1, 7, 40}, 5, one)) << "what is refused takes nothing";
  EXPECT_TRUE(rows.take({1, 7, 1}, 5, one));
  EXPECT_FALSE(rows.take({1, 8, 100}, 5, one)) << "another tick";
}

TEST(TickRows, FramesOfTicksThatAreOverAndOfNoneAreForTheNext) {
  TickRows rows(config_of(50, 50));
  EXPECT_FALSE(rows.take({1, 0, 50}, 5, one));
  EXPECT_FALSE(rows.take({1, 3, 50}, 5, one));
  EXPECT_TRUE(rows.take({1, 5, 1}, 5, one));
  EXPECT_FALSE(rows.take({1, 0, 100}, 6, one)) << "a tick later";
}

TEST(TickRows, EachParticipantHasItsShareWhateverOthersTake) {
  TickRows rows(config_of(50, 50));
  EXPECT_FALSE(rows.take({1, 0, 100}, 1, four)) << "while others leave it";
  EXPECT_TRUE(rows.take({1, 0, 1}, 1, four));
  for (const match::ParticipantNumber other : {2, 3, 4}) {
    EXPECT_FALSE(rows.take({other, 0, 25}, 1, four));
    EXPECT_TRUE(rows.take({other, 0, 1}, 1, four));
  }
}

TEST(TickRows, WhatIsTooFarAheadIsForTheMatchToRefuse) {
  TickRows rows(config_of(50, 50));
  EXPECT_FALSE(rows.take({1, 16, 1'000}, 5, one));
  EXPECT_TRUE(rows.take({1, 15, 1'000}, 5, one));
}

TEST(TickRows, AMatchWithoutBudgetsHasNoMaximum) {
  TickRows rows(config_with(match::ClockKind::kManual));
  EXPECT_FALSE(rows.take({1, 0, 1'000'000}, 1, one));
}

class RowsOfATick : public MatchHostTest {};

TEST_F(RowsOfATick, BeyondTheMaximumAreRefusedAndTheMatchGoesOn) {
  MatchHost& host = create(config_of(3, 3));
  FakeSubscriber ann;
  const match::ParticipantNumber number = join(host, ann, "ann");
  for (const std::uint32_t place : {0u, 1u, 2u}) host.submit(number, frame_with_spawn(first_id_ + place, 0));
  match::Frame moves;
  for (int i = 0; i < 7; ++i) moves.moves.push_back({first_id_, {i, 0}});
  host.submit(number, moves);
  step(host, 1);
  run_for(milliseconds(2));
  EXPECT_EQ(host.match().tick(), 1u);
  EXPECT_EQ(host.match().object_count(), 3u);
  EXPECT_EQ(ann.rejections, 1u) << "the frame as a whole";
  moves.moves.resize(6);
  host.submit(number, moves);
  step(host, 1);
  run_for(milliseconds(2));
  EXPECT_EQ(ann.rejections, 1u) << "as much as may be";
  host.end();
}

}  // namespace
}  // namespace sweepd::runtime::tick_rows_test
