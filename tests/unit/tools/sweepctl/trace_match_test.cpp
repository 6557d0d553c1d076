// SPDX-License-Identifier: MIT
//
// Protects the match that a trace is played in: names a server accepts, blocks of ids that fit, exact
// coordinates.
#include "tools/sweepctl/trace_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace sweepd::tools::trace_match_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

Trace trace_of(const std::vector<std::string>& participants) {
  Trace trace;
  trace.layers = {"player", "bullet", "player"};
  trace.collides = {{0, 1}, {1, 2}};
  for (const std::string& name : participants) trace.participants.emplace_back().name = name;
  return trace;
}

TEST(TraceMatch, GivesEachParticipantASlotWithItsBlockOfIds) {
  Trace trace = trace_of({"one", "two"});
  trace.participants[0].first_id = 5;
  trace.participants[0].last_id = 900;
  const MatchConfig config = match_config_of(trace, {});
  ASSERT_EQ(config.slots.size(), 2u);
  EXPECT_EQ(config.slots[0].name, "one");
  EXPECT_EQ(config.slots[0].first_id, 5u);
  EXPECT_EQ(config.slots[0].last_id, 900u);
  EXPECT_EQ(config.slots[1].last_id, 0u);
  EXPECT_EQ(config.start_after_participants, 2u);
}

TEST(TraceMatch, MakesNamesUniqueWithoutChangingTheirOrder) {
  const MatchConfig config = match_config_of(trace_of({"same", "participant-2", "same", "same"}), {});
  EXPECT_EQ(config.slots[0].name, "same");
  EXPECT_EQ(config.slots[1].name, "participant-2");
  EXPECT_EQ(config.slots[2].name, "participant-2'");
  EXPECT_EQ(config.slots[3].name, "participant-3");
  EXPECT_THAT(config.layers, ElementsAre("player", "bullet", "layer-2"));
  EXPECT_THAT(config.collides,
              ElementsAre(CollidingLayers{"player", "bullet"}, CollidingLayers{"bullet", "layer-2"}));
}

TEST(TraceMatch, DropsLateFramesAndReportsEveryTick) {
  const MatchConfig config = match_config_of(trace_of({"one"}), {.name = "n", .lead_ticks = 33});
  EXPECT_EQ(config.late_frames, LateFramePolicy::kDrop);
  EXPECT_EQ(config.heartbeat_ticks, 1u);
  EXPECT_EQ(config.max_lead_ticks, 33u);
}

TEST(TraceMatch, MakesRoomForAsManyObjectsAsTheTraceHas) {
  Trace trace = trace_of({"one", "two"});
  EXPECT_EQ(match_config_of(trace, {}).objects_per_participant_max,
            MatchConfig().objects_per_participant_max);
  trace.participants[1].objects_max = 70'000;
  EXPECT_EQ(match_config_of(trace, {}).objects_per_participant_max, 70'000u);
}

TEST(TraceMatch, TakesFromItsBaseAllThatTheTraceLeavesOpen) {
  TraceMatchOptions options;
  options.base.layers = {"graze", "bullet", "player"};
  options.base.collides = {
      {"graze", "bullet"}, {"bullet", "player", true, 5}, {"bullet", "bullet"}, {"player", "player"}};
  options.base.slots = {{.name = "nobody"}};
  options.base.lockstep.required_roles = std::vector<Role>{};
  options.base.objects_per_participant_max = 90'000;
  options.base.seed = 7;
  const MatchConfig config = match_config_of(trace_of({"one"}), options);
  EXPECT_THAT(config.layers, ElementsAre("player", "bullet", "layer-2", "graze"));
  EXPECT_THAT(config.collides,
              ElementsAre(CollidingLayers{"bullet", "player", true, 5}, CollidingLayers{"bullet", "layer-2"},
                          CollidingLayers{"graze", "bullet"}));
  ASSERT_EQ(config.slots.size(), 1u);
  EXPECT_EQ(config.slots[0].name, "one");
  EXPECT_FALSE(config.lockstep.required_roles);
  EXPECT_EQ(config.objects_per_participant_max, 90'000u);
  EXPECT_EQ(config.seed, 7u);
}

TEST(TraceMatch, ConvertsSubunitsToUnitsWithoutLoss) {
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t subunits : {0, 1, -1, 255, -257, kMin, kMin + 1, kMax, kMax - 1}) {
    EXPECT_EQ(static_cast<std::int64_t>(to_units(subunits) * 256), subunits);
  }
  EXPECT_EQ(to_units(TraceBox{-256, -128, 64, 1}).max_y, 1 / 256.0);
}

}  // namespace
}  // namespace sweepd::tools::trace_match_test
