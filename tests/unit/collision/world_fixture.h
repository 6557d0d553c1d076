// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "collision/world.h"

namespace sweepd::collision {

inline constexpr LayerId kPlayer = 0;
inline constexpr LayerId kBullet = 1;
inline constexpr LayerId kGraze = 2;    // Collides with bullets, like players.
inline constexpr LayerId kScenery = 3;  // Collides with nothing.

/// A world of players that bullets hit and graze; 20 by 20 subunits are an object's usual size.
struct WorldTest : testing::Test {
  static WorldConfig make_config() {
    WorldConfig config;
    config.layer_count = 4;
    config.matrix.allow(kPlayer, kBullet);
    config.matrix.allow(kGraze, kBullet);
    config.playfield = {-1000, -1000, 1000, 1000};
    return config;
  }

  static ObjectSpec spec(ObjectId id, LayerId layer, Point position) {
    ObjectSpec spec;
    spec.id = id;
    spec.position = position;
    spec.parts = {{{-10, -10, 10, 10}, layer}};
    return spec;
  }

  void spawn(const ObjectSpec& object) { ASSERT_TRUE(world.spawn(object).ok()); }

  std::vector<Event> tick() {
    const std::span<const Event> events = world.finish_tick();
    return {events.begin(), events.end()};
  }

  /// The reason of the only event, an EXIT of key (1, 2) - or a failure.
  ExitReason only_exit() {
    const std::vector<Event> events = tick();
    EXPECT_EQ(events.size(), 1u);
    if (events.size() != 1) return ExitReason::kNone;
    EXPECT_EQ(events[0].kind, EventKind::kExit);
    EXPECT_EQ(events[0].key.object_a, 1u);
    EXPECT_EQ(events[0].key.object_b, 2u);
    return events[0].reason;
  }

  World world{make_config()};
};

}  // namespace sweepd::collision
