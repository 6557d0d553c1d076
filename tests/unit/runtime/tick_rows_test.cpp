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
  return config;
}

std::size_t one() { return 1; }
std::size_t four() { return 4; }

TEST(TickRows, ATickHasAsManyAsTheMatchMayHaveObjectsAndParts) {
  TickRows rows(config_of(4'000, 6'000));
  EXPECT_EQ(rows.most(), 10'000u);
  EXPECT_FALSE(rows.take({1, 7, 6'000}, 5, one));
  EXPECT_EQ(rows.take({1, 7, 4'001}, 5, one), 10'001u);
  EXPECT_FALSE(rows.take({1, 7, 4'000}, 5, one)) << "what is refused takes nothing";
  EXPECT_TRUE(rows.take({1, 7, 1}, 5, one));
  EXPECT_FALSE(rows.take({1, 8, 10'000}, 5, one)) << "another tick";
  EXPECT_TRUE(rows.take({1, 7, 1}, 7, one)) << "until it has run";
}

TEST(TickRows, OfASmallMatchHaveRoomForAllThatIsUsual) {
  TickRows rows(config_of(1, 1));
  EXPECT_FALSE(rows.take({1, 1, TickRows::kLeast}, 1, one));
  EXPECT_TRUE(rows.take({1, 1, 1}, 1, one));
}

TEST(TickRows, EachParticipantHasItsShareWhateverOthersTake) {
  TickRows rows(config_of(4'000, 6'000));
  EXPECT_FALSE(rows.take({1, 1, 10'000}, 1, four)) << "while others leave it";
  EXPECT_TRUE(rows.take({1, 1, 1}, 1, four));
  for (const match::ParticipantNumber other : {2, 3, 4}) {
    EXPECT_FALSE(rows.take({other, 1, 2'500}, 1, four));
    EXPECT_TRUE(rows.take({other, 1, 1}, 1, four));
  }
}

TEST(TickRows, AMatchWithoutBudgetsHasNoMaximum) {
  TickRows rows(config_with(match::ClockKind::kManual));
  EXPECT_FALSE(rows.take({1, 1, 1'000'000}, 1, one));
}

class RowsOfATick : public MatchHostTest {};

TEST_F(RowsOfATick, BeyondTheMaximumAreRefusedAndTheMatchGoesOn) {
  MatchHost& host = create(config_of(1, 1));
  FakeSubscriber ann;
  const match::ParticipantNumber number = join(host, ann, "ann");
  host.submit(number, frame_with_spawn(first_id_, 0));  // Two rows.
  const auto moves = [this](std::size_t rows) {
    match::Frame frame;
    for (std::size_t i = 0; i < rows; ++i) frame.moves.push_back({first_id_, {static_cast<int>(i % 9), 0}});
    return frame;
  };
  host.submit(number, moves(TickRows::kLeast - 1));
  step(host, 1);
  run_for(milliseconds(2));
  EXPECT_EQ(host.match().tick(), 1u);
  EXPECT_EQ(host.match().object_count(), 1u);
  EXPECT_EQ(ann.rejections, 1u) << "the frame as a whole";
  host.submit(number, moves(TickRows::kLeast));
  step(host, 1);
  run_for(milliseconds(2));
  EXPECT_EQ(ann.rejections, 1u) << "as much as may be";
  host.end();
}

TEST_F(RowsOfATick, OfLateFramesCountWhereTheyApply) {
  match::MatchConfig config = config_of(1, 1);
  config.late_frames = match::LateFramePolicy::kSpread;
  MatchHost& host = create(config);
  FakeSubscriber ann;
  const match::ParticipantNumber number = join(host, ann, "ann");
  step(host, 20);
  run_for(milliseconds(50));
  ASSERT_EQ(host.match().tick(), 20u);
  match::Frame frame = frame_with_spawn(first_id_, 0);
  frame.moves.assign(TickRows::kLeast / 2 - 2, match::Move{first_id_, {1, 0}});
  for (match::Tick tick = 1; tick <= 10; ++tick) {  // Two of them apply in each of the next ticks.
    frame.tick = tick;
    host.submit(number, frame);
    frame.spawns.clear();
  }
  step(host, 10);
  run_for(milliseconds(50));
  EXPECT_EQ(ann.rejections, 0u);
  host.end();
}

}  // namespace
}  // namespace sweepd::runtime::tick_rows_test
