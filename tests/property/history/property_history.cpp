// SPDX-License-Identifier: MIT
// Protects the past: whatever happened in a random world, its history says of every object in every tick that
// it keeps what a copy of the world taken in that tick says; of every tick that it does not keep, that it
// does not.

#include <gtest/gtest.h>

#include "match/history/past_world.h"
#include "property/history/past_worlds.h"
#include "rounds.h"

namespace sweepd::property::property_history {
namespace {

using match::History;
using match::PastObject;
using match::PastWorld;

const RandomWorldOptions kWorlds[] = {
    {.name = "mixed"},
    {.name = "all move in every tick", .move_chance = 100, .alter_chance = 1},
    {.name = "all jump in every tick", .move_chance = 100, .jump_chance = 100},
    {.name = "all go straight on, and sometimes turn or pause",
     .move_chance = 95,
     .jump_chance = 1,
     .straight_chance = 92,
     .motion_chance = 1,
     .alter_chance = 1},
    {.name = "most go straight on, by frames and by motion at once",
     .move_chance = 90,
     .straight_chance = 95,
     .motion_chance = 20,
     .alter_chance = 3,
     .despawn_chance = 8,
     .reuses_ids = true},
    {.name = "all are steered in every tick", .move_chance = 0, .motion_chance = 100, .alter_chance = 1},
    {.name = "left to themselves", .move_chance = 0, .motion_chance = 0, .alter_chance = 0},
    {.name = "seldom touched",
     .objects_max = 300,
     .spawns = 20,
     .move_chance = 2,
     .motion_chance = 2,
     .despawn_chance = 1},
    {.name = "short lives under few ids", .objects_max = 6, .despawn_chance = 30, .reuses_ids = true},
    {.name = "always altered", .alter_chance = 80, .continuous_chance = 30},
};

void expect_equal(const PastObject& past, const ObjectCopy& copy) {
  EXPECT_EQ(past.owner, copy.owner);
  EXPECT_EQ(past.trajectory.position, copy.position);
  EXPECT_EQ(past.trajectory.motion, copy.motion);
  EXPECT_EQ(past.is_disabled, copy.is_disabled);
  EXPECT_EQ(std::vector(past.parts.begin(), past.parts.end()), copy.parts);
}

void expect_equal(const History& history, collision::Tick tick, const WorldCopy& copy,
                  collision::ObjectId last_id) {
  const std::vector<PastObject> objects = history.objects(tick);
  ASSERT_EQ(objects.size(), copy.objects.size());
  std::size_t i = 0;
  for (const auto& [id, object] : copy.objects) {
    SCOPED_TRACE(testing::Message() << "object " << id);
    ASSERT_EQ(objects[i].id, id);
    expect_equal(objects[i++], object);
  }
  for (collision::ObjectId id = 0; id <= last_id; ++id) {
    EXPECT_EQ(history.find(id, tick).has_value(), copy.objects.contains(id)) << "object " << id;
  }
}

/// The encounters that were open in a tick are those that have ended since, and those that still are.
void expect_equal_encounters(const History& history, collision::Tick tick, const WorldCopy& then,
                             const WorldCopy& now) {
  std::map<collision::EncounterKey, collision::Tick> past;
  for (const auto& encounter : history.ended_encounters(tick)) past[encounter.key] = encounter.since_tick;
  for (const auto& encounter : now.encounters) {
    if (encounter.since_tick <= tick) past[encounter.key] = encounter.since_tick;
  }
  std::map<collision::EncounterKey, collision::Tick> expected;
  for (const auto& encounter : then.encounters) expected[encounter.key] = encounter.since_tick;
  EXPECT_EQ(past, expected);
}

void expect_equal_answers(const PastWorld& past, const WorldCopy& copy) {
  const Answers& then = copy.answers;
  EXPECT_EQ(past.in_region(then.region, then.layers), then.in_region);
  EXPECT_EQ(past.all_hits(then.ray, then.layers), then.hits);
  EXPECT_EQ(past.nearest(then.ray.from, then.layers), then.nearest);
  for (const collision::Encounter& encounter : copy.encounters) {
    EXPECT_EQ(past.lowest_pair(encounter.key), encounter.parts);
  }
}

void play(const RandomWorldOptions& options, std::uint32_t history_ticks, std::uint64_t seed) {
  RandomWorld world(options, seed);
  History history(history_ticks);
  PastWorlds copies;
  collision::ObjectId last_id = 0;
  for (collision::Tick tick = 1; tick <= 90; ++tick) {
    world.play_tick(&history);
    copies.copy(world);
    if (!world.ids().empty()) last_id = std::max(last_id, world.ids().back());
    ASSERT_EQ(history.latest(), tick);
    ASSERT_EQ(history.oldest(), tick > history_ticks ? tick - history_ticks : 1);
    const bool asks_all = tick % 8 == 0;  // Else only of the ends: the middle is asked for often enough.
    for (collision::Tick past = history.oldest(); past <= tick; ++past) {
      if (!asks_all && past > history.oldest() && past + 1 < tick) continue;
      SCOPED_TRACE(testing::Message() << "tick " << past << " seen from " << tick);
      expect_equal(history, past, copies.at(past), last_id);
      expect_equal_answers({history.objects(past), world.config().masks}, copies.at(past));
      expect_equal_encounters(history, past, copies.at(past), copies.at(tick));
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_FALSE(history.has(history.oldest() - 1));
    EXPECT_FALSE(history.has(tick + 1));
  }
}

TEST(PropertyHistory, SaysOfEveryKeptTickWhatACopyOfTheWorldSays) {
  for (const RandomWorldOptions& options : kWorlds) {
    for (const std::uint32_t history_ticks : {1u, 2u, 7u, 30u, 200u}) {
      for (std::uint64_t seed = 1; seed <= rounds(2u); ++seed) {
        SCOPED_TRACE(testing::Message() << options.name << ", " << history_ticks << " ticks, seed " << seed);
        play(options, history_ticks, seed);
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace sweepd::property::property_history
