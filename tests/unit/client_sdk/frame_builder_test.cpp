// SPDX-License-Identifier: MIT
//
// Protects the columns of moves: a reader that follows the rules of the contract must arrive at the positions
// that the game asked for, whatever the order of spawns, moves and despawns.
#include "frame_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "move_encoder.h"
#include "subunits.h"

namespace sweepd::internal::frame_builder_test {
namespace {

using Position = std::pair<std::int64_t, std::int64_t>;

/// Reads frames as types.proto tells a server to.
class ReferenceReader {
 public:
  /// Where each object that the frame moves is moved to.
  std::map<ObjectId, Position> read(const v1::Frame& frame) {
    std::map<ObjectId, Position> moved;
    ++frame_;
    std::erase_if(bases_, [this](const auto& entry) { return frame_ - entry.second.set_in > 64; });
    for (const auto& spawn : frame.spawns()) bases_[spawn.object_id()] = {{spawn.x(), spawn.y()}, {}, frame_};
    std::int64_t id = 0;
    for (int i = 0; i < frame.moves().id_delta_size(); ++i) {
      id += frame.moves().id_delta(i);
      moved[static_cast<ObjectId>(id)] = read_move(frame.moves(), i, static_cast<ObjectId>(id));
    }
    const auto& absolute = frame.absolute_moves();
    for (int i = 0; i < absolute.object_id_size(); ++i) {
      moved[absolute.object_id(i)] = {absolute.x(i), absolute.y(i)};
      bases_[absolute.object_id(i)] = {{absolute.x(i), absolute.y(i)}, {}, frame_};
    }
    for (ObjectId despawned : frame.despawns()) bases_.erase(despawned);
    return moved;
  }

 private:
  struct Base {
    Position position;
    Position last_step;
    int set_in = 0;
  };

  Position read_move(const v1::MoveColumns& moves, int row, ObjectId id) {
    const bool is_known = bases_.contains(id);
    Base& base = bases_[id];
    Position to{base.position.first + moves.dx(row), base.position.second + moves.dy(row)};
    if (moves.is_against_course()) {
      to.first += base.last_step.first;
      to.second += base.last_step.second;
    }
    const Position step{to.first - base.position.first, to.second - base.position.second};
    base = {to, is_known && fits(step.first) && fits(step.second) ? step : Position{}, frame_};
    return to;
  }
  static bool fits(std::int64_t coordinate) { return coordinate == static_cast<std::int32_t>(coordinate); }

  std::map<ObjectId, Base> bases_;
  int frame_ = 0;
};

ObjectSpec spec_at(double x, double y) {
  ObjectSpec spec;
  spec.position = {x, y};
  spec.parts = {{centered_box(2, 2), 0}};
  return spec;
}

/// What a game's frames become on a stream.
struct Stream : FrameBuilder {
  using FrameBuilder::FrameBuilder;
  MoveEncoder encoder;
};

v1::Frame finish(Stream* builder) {
  v1::Frame frame;
  builder->finish(0, 0, &frame);
  builder->encoder.encode(&frame);
  return frame;
}

TEST(FrameBuilder, ASpawnSetsTheBaseOfTheMovesThatFollow) {
  Stream builder({1});
  ASSERT_FALSE(builder.spawn(7, spec_at(10, 20)));
  finish(&builder);
  ASSERT_FALSE(builder.move(7, {11, 18}));
  const v1::Frame frame = finish(&builder);
  ASSERT_EQ(frame.moves().id_delta_size(), 1);
  EXPECT_EQ(frame.moves().id_delta(0), 7);
  EXPECT_EQ(frame.moves().dx(0), 256);
  EXPECT_EQ(frame.moves().dy(0), -512);
  EXPECT_FALSE(frame.has_absolute_moves());
}

TEST(FrameBuilder, AMoveInTheFrameOfTheSpawnIsRelativeToTheSpawn) {
  Stream builder({1});
  ASSERT_FALSE(builder.move(7, {11, 20}));
  ASSERT_FALSE(builder.spawn(7, spec_at(10, 20)));
  const v1::Frame frame = finish(&builder);
  ASSERT_EQ(frame.moves().dx_size(), 1);
  EXPECT_EQ(frame.moves().dx(0), 256);
  EXPECT_EQ(frame.moves().dy(0), 0);
}

TEST(FrameBuilder, AMoveSetsTheBaseOfTheNext) {
  Stream builder({1});
  ASSERT_FALSE(builder.spawn(7, spec_at(0, 0)));
  finish(&builder);
  ASSERT_FALSE(builder.move(7, {5, 5}));
  finish(&builder);
  ASSERT_FALSE(builder.move(7, {6, 5}));
  const v1::Frame frame = finish(&builder);
  EXPECT_EQ(frame.moves().dx(0), 256);
  EXPECT_EQ(frame.moves().dy(0), 0);
}

TEST(FrameBuilder, OnlyTheLastMoveOfAnObjectIsSent) {
  Stream builder({1});
  ASSERT_FALSE(builder.spawn(7, spec_at(0, 0)));
  ASSERT_FALSE(builder.move(7, {1, 1}));
  ASSERT_FALSE(builder.move(7, {9, 9}));
  const v1::Frame frame = finish(&builder);
  ASSERT_EQ(frame.moves().dx_size(), 1);
  EXPECT_EQ(frame.moves().dx(0), 9 * 256);
}

TEST(FrameBuilder, MovesAreSortedByIdAndIdsAreDifferences) {
  Stream builder({1});
  for (ObjectId id : {30u, 10u, 20u}) ASSERT_FALSE(builder.spawn(id, spec_at(0, 0)));
  for (ObjectId id : {30u, 10u, 20u}) ASSERT_FALSE(builder.move(id, {1.0 * id, 0}));
  const v1::Frame frame = finish(&builder);
  ASSERT_EQ(frame.moves().id_delta_size(), 3);
  EXPECT_EQ(frame.moves().id_delta(0), 10);
  EXPECT_EQ(frame.moves().id_delta(1), 10);
  EXPECT_EQ(frame.moves().id_delta(2), 10);
  EXPECT_EQ(frame.moves().dx(2), 30 * 256);
}

TEST(FrameBuilder, AnObjectWithoutABaseGoesOutAbsolute) {
  Stream builder({1});
  ASSERT_FALSE(builder.move(99, {3, 4}));
  v1::Frame frame = finish(&builder);
  ASSERT_EQ(frame.absolute_moves().object_id_size(), 1);
  EXPECT_EQ(frame.absolute_moves().x(0), 768);
  ASSERT_FALSE(builder.move(99, {4, 4}));
  frame = finish(&builder);
  ASSERT_EQ(frame.moves().dx_size(), 1) << "the absolute row began a base";
  EXPECT_EQ(frame.moves().dx(0), 256);
}

TEST(FrameBuilder, ADespawnEndsTheBase) {
  Stream builder({1});
  ASSERT_FALSE(builder.spawn(7, spec_at(100, 100)));
  finish(&builder);
  builder.despawn(7);
  finish(&builder);
  ASSERT_FALSE(builder.move(7, {1, 1}));
  EXPECT_EQ(finish(&builder).absolute_moves().x(0), 256);
}

TEST(FrameBuilder, WhatHasNotMovedForSixtyFourFramesGoesOutAbsolute) {
  for (const std::uint64_t frames : {MoveEncoder::kFramesMax - 1, MoveEncoder::kFramesMax}) {
    Stream builder({1});
    ASSERT_FALSE(builder.spawn(7, spec_at(100, 100)));
    finish(&builder);
    for (std::uint64_t i = 0; i < frames; ++i) finish(&builder);
    ASSERT_FALSE(builder.move(7, {101, 100}));
    EXPECT_EQ(finish(&builder).has_absolute_moves(), frames == MoveEncoder::kFramesMax) << frames;
  }
}

TEST(FrameBuilder, AJumpTooFarForAColumnGoesOutAbsolute) {
  Stream builder({1});
  ASSERT_FALSE(builder.spawn(7, spec_at(-8'000'000, 0)));
  finish(&builder);
  ASSERT_FALSE(builder.move(7, {8'000'000, 0}));
  const v1::Frame frame = finish(&builder);
  EXPECT_FALSE(frame.has_moves());
  EXPECT_EQ(frame.absolute_moves().x(0), 8'000'000 * 256);
}

TEST(FrameBuilder, ABadChangeLeavesTheFrameAsItWas) {
  Stream builder({2});
  ASSERT_FALSE(builder.spawn(1, spec_at(0, 0)));
  ObjectSpec bad = spec_at(0, 0);
  bad.parts[0].layer = 2;
  const Checked layer = builder.spawn(2, bad);
  ASSERT_TRUE(layer.has_value());
  EXPECT_EQ(layer->code, ErrorCode::kOutOfRange);
  EXPECT_EQ(layer->field, "parts[0].layer");
  EXPECT_TRUE(builder.spawn(2, spec_at(std::nan(""), 0)));
  EXPECT_TRUE(builder.spawn(2, ObjectSpec{}));
  EXPECT_TRUE(builder.reshape(1, std::vector<Part>(33)));
  EXPECT_TRUE(builder.change_layer(1, 2, std::nullopt));
  EXPECT_TRUE(builder.move(1, {0, 1e9}));
  EXPECT_TRUE(builder.set_motion(1, {.velocity = {0, std::nan("")}}));
  const v1::Frame frame = finish(&builder);
  EXPECT_EQ(frame.spawns_size(), 1);
  EXPECT_EQ(frame.reshapes_size(), 0);
  EXPECT_EQ(frame.layer_changes_size(), 0);
  EXPECT_EQ(frame.motions_size(), 0);
  EXPECT_FALSE(frame.has_moves());
  EXPECT_FALSE(frame.has_absolute_moves());
}

TEST(FrameBuilder, EveryKindOfChangeIsInTheFrameOnce) {
  Stream builder({3});
  ObjectSpec spec = spec_at(1, 2);
  spec.motion = Motion{.velocity = {1, 2}, .acceleration = {0.5, -0.5}};
  spec.time_to_live_ticks = 60;
  spec.despawn_outside_playfield = true;
  ASSERT_FALSE(builder.spawn(5, spec));
  ASSERT_FALSE(builder.reshape(5, {{centered_box(4, 6), 2}}));
  ASSERT_FALSE(builder.change_layer(5, 1, 0));
  ASSERT_FALSE(builder.change_layer(5, 2, std::nullopt));
  ASSERT_FALSE(builder.set_motion(5, {}));
  builder.disable(5, 77);
  builder.enable(5);
  builder.despawn(5);
  v1::Frame frame;
  builder.finish(9, 8, &frame);
  EXPECT_EQ(frame.tick(), 9u);
  EXPECT_EQ(frame.acknowledged_tick(), 8u);
  ASSERT_EQ(frame.spawns_size(), 1);
  EXPECT_EQ(frame.spawns(0).object_id(), 5u);
  EXPECT_EQ(frame.spawns(0).x(), 256);
  EXPECT_EQ(frame.spawns(0).motion().velocity_y(), 512);
  EXPECT_EQ(frame.spawns(0).motion().acceleration_y(), -128);
  EXPECT_EQ(frame.spawns(0).time_to_live_ticks(), 60u);
  EXPECT_TRUE(frame.spawns(0).despawn_outside_playfield());
  EXPECT_EQ(frame.reshapes(0).parts(0).box().max_y(), 768);
  EXPECT_EQ(frame.reshapes(0).parts(0).layer(), 2u);
  EXPECT_TRUE(frame.layer_changes(0).has_part());
  EXPECT_FALSE(frame.layer_changes(1).has_part());
  EXPECT_EQ(frame.motions_size(), 1);
  EXPECT_EQ(frame.disables(0).until_tick(), 77u);
  EXPECT_EQ(frame.enables(0), 5u);
  EXPECT_EQ(frame.despawns(0), 5u);
  EXPECT_EQ(finish(&builder).ByteSizeLong(), 0u) << "the next frame begins empty";
}

TEST(FrameBuilder, WhatFliesStraightCostsThreeBytesAMove) {
  Stream builder({1});
  for (ObjectId id = 1; id <= 100; ++id) ASSERT_FALSE(builder.spawn(id, spec_at(0, 0)));
  finish(&builder);
  for (int tick = 1; tick <= 3; ++tick) {
    for (ObjectId id = 1; id <= 100; ++id) {
      ASSERT_FALSE(builder.move(id, {3.5 * tick, -static_cast<double>(id) * tick}));
    }
    const v1::Frame frame = finish(&builder);
    EXPECT_EQ(frame.moves().is_against_course(), tick > 1);
    EXPECT_LE(frame.ByteSizeLong(), tick > 1 ? 3u * 100 + 12 : 6u * 100) << tick;
  }
}

TEST(FrameBuilder, AReaderOfTheContractArrivesWhereTheGameWantedToBe) {
  std::mt19937 random(20260101);
  Stream builder({1});
  ReferenceReader reader;
  std::map<ObjectId, Position> last;
  int frames_of_mode[2] = {};
  for (int round = 0; round < 4'000; ++round) {
    const bool is_smooth = round / 100 % 2 == 0;  // Or everything jumps about.
    std::map<ObjectId, Position> wanted;
    for (int change = 0; change < 8; ++change) {
      const ObjectId id = 1 + random() % 20;
      auto x = static_cast<std::int32_t>(random());
      auto y = static_cast<std::int32_t>(random());
      const unsigned kind = random() % (is_smooth ? 200 : 8);
      if (kind == 0) {
        ObjectSpec spec = spec_at(to_units(x), to_units(y));
        spec.time_to_live_ticks = random() % 2;
        ASSERT_FALSE(builder.spawn(id, spec));
      } else if (kind == 1) {
        builder.despawn(id);
      } else {
        if (is_smooth) {
          x = static_cast<std::int32_t>(last[id].first % 1'000'000 + 300 + static_cast<int>(id));
          y = static_cast<std::int32_t>(last[id].second % 1'000'000 - 500);
        }
        ASSERT_FALSE(builder.move(id, {to_units(x), to_units(y)}));
        last[id] = wanted[id] = {x, y};
      }
    }
    const v1::Frame frame = finish(&builder);
    ++frames_of_mode[frame.moves().is_against_course() ? 1 : 0];
    ASSERT_EQ(reader.read(frame), wanted) << "round " << round;
  }
  EXPECT_GT(frames_of_mode[0], 500);
  EXPECT_GT(frames_of_mode[1], 500);
}

}  // namespace
}  // namespace sweepd::internal::frame_builder_test
