// SPDX-License-Identifier: MIT
//
// Protects worlds that are restored: everything about an object is as it was, encounters go on, and bytes of
// a world that cannot be are refused. That the ticks to come are the same tests/property/snapshot protects.
#include <gtest/gtest.h>

#include "unit/collision/world_fixture.h"

namespace sweepd::collision::world_snapshot_test {
namespace {

struct WorldSnapshot : WorldTest {
  std::string saved() const {
    base::ByteWriter writer;
    world.save(writer);
    return writer.take();
  }

  /// The first fault in `bytes`, or "".
  static std::string fault_of(std::string_view bytes, const WorldConfig& config = make_config()) {
    World other(config);
    base::ByteReader reader(bytes);
    other.restore(reader);
    reader.finish();
    return reader.ok() ? "" : reader.fault()->description;
  }

  World restored() const {
    World other(make_config());
    const std::string bytes = saved();
    base::ByteReader reader(bytes);
    other.restore(reader);
    reader.finish();
    EXPECT_TRUE(reader.ok());
    return other;
  }
};

TEST_F(WorldSnapshot, EverythingAboutAnObjectIsAsItWas) {
  ObjectSpec object = spec(900, kPlayer, {100, -200});
  object.owner = 5;
  object.motion = {{3, 4}, {-1, 2}};
  object.time_to_live_ticks = 20;
  object.hit_points = 7;
  object.damage = 2;
  object.continuous = object.single_use = object.despawn_outside_playfield = true;
  spawn(object);
  spawn(spec(3, kScenery, {}));
  world.freeze(900);
  world.disable_until(900, 9);
  world.scroll_to({50, 60});
  tick();
  const World other = restored();
  EXPECT_EQ(other.tick(), 1u);
  EXPECT_EQ(other.playfield_origin(), (Point{50, 60}));
  EXPECT_EQ(other.state_hash(), world.state_hash());
  const ObjectView view = *other.find(900);
  EXPECT_EQ(view.owner, 5u);
  EXPECT_EQ(view.position, (Point{100, -200}));
  EXPECT_EQ(view.motion, object.motion);
  EXPECT_EQ(std::vector(view.parts.begin(), view.parts.end()), object.parts);
  EXPECT_EQ(view.disabled_until, 9u);
  EXPECT_EQ(view.expires_at, 21u);
  EXPECT_EQ(view.hit_points, 7u);
  EXPECT_EQ(view.damage, 2u);
  EXPECT_TRUE(view.despawn_outside_playfield && view.is_continuous && view.is_single_use && view.is_frozen);
  EXPECT_EQ(other.ids(), (std::vector<ObjectId>{3, 900}));
}

TEST_F(WorldSnapshot, EncountersGoOnAndAreNotToldAgain) {
  spawn(spec(1, kPlayer, {}));
  spawn(spec(2, kBullet, {}));
  EXPECT_EQ(tick().size(), 1u);
  EXPECT_EQ(tick().size(), 0u);
  World other = restored();
  EXPECT_EQ(other.open_encounters(), world.open_encounters());
  EXPECT_TRUE(other.finish_tick().empty());
  other.despawn(2);
  const auto events = other.finish_tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].sequence_number, 2u);
}

TEST_F(WorldSnapshot, EqualWorldsMakeEqualBytesWhateverCameBefore) {
  spawn(spec(1, kPlayer, {}));
  spawn(spec(2, kPlayer, {}));
  tick();
  World other(make_config());
  for (const ObjectId id : {9, 2, 1}) ASSERT_TRUE(other.spawn(spec(id, kPlayer, {})).ok());
  other.despawn(9);
  other.finish_tick();
  base::ByteWriter writer;
  other.save(writer);
  EXPECT_EQ(writer.bytes(), saved());
}

TEST_F(WorldSnapshot, WhatTheOutcomeRemovedIsGone) {
  ObjectSpec bullet = spec(2, kBullet, {});
  bullet.single_use = true;
  spawn(spec(1, kPlayer, {}));
  spawn(bullet);
  EXPECT_EQ(tick().size(), 2u);
  World other = restored();
  EXPECT_EQ(other.object_count(), 1u);
  EXPECT_TRUE(other.spawn(spec(2, kBullet, {})).ok());
  EXPECT_EQ(other.finish_tick().size(), 1u);
}

TEST_F(WorldSnapshot, BytesOfAWorldThatCannotBeAreRefused) {
  spawn(spec(1, kPlayer, {}));
  spawn(spec(2, kBullet, {}));
  tick();
  const std::string bytes = saved();
  EXPECT_EQ(fault_of(bytes), "");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(fault_of(bytes.substr(0, size)), "") << size;
  }
  EXPECT_EQ(fault_of(bytes + '\0'), "has more bytes than it should");
  WorldConfig fewer_layers = make_config();
  fewer_layers.layer_count = 1;
  EXPECT_EQ(fault_of(bytes, fewer_layers), "is an object that cannot be");
  WorldConfig peace = make_config();
  peace.matrix = {};
  EXPECT_EQ(fault_of(bytes, peace), "are not the encounters of these objects");
  WorldConfig wide = make_config();
  wide.playfield.max_x = kSubunitsMax;
  world.scroll_to({1, 0});
  tick();
  EXPECT_EQ(fault_of(saved(), wide), "is a playfield beyond the range of coordinates");
}

using WorldSnapshotDeathTest = WorldSnapshot;

TEST_F(WorldSnapshotDeathTest, AWorldIsNotSavedWithinATick) {
  spawn(spec(1, kPlayer, {}));
  EXPECT_DEATH(saved(), "broken invariant");
}

}  // namespace
}  // namespace sweepd::collision::world_snapshot_test
