// SPDX-License-Identifier: MIT
//
// Protects the bytes that a load sends: each has to be a message of the contract, the rows have to lead back
// to where they began, and no id may be in use twice.
#include "tools/load/frame_loop.h"

#include <gtest/gtest.h>
#include <sweepd/v1/match_service.pb.h>

#include <map>
#include <set>
#include <vector>

#include "tools/load/frame_bytes.h"

namespace sweepd::tools::load::frame_loop_test {
namespace {

v1::Frame frame_of(const FrameLoop& loop, std::uint32_t tick, std::uint64_t acknowledged) {
  std::string bytes(loop.frame(tick));
  char acknowledgement[kAcknowledgementBytes];
  write_acknowledgement(acknowledged, acknowledgement);
  bytes.append(acknowledgement, sizeof acknowledgement);
  v1::PlayRequest request;
  EXPECT_TRUE(request.ParseFromString(bytes));
  EXPECT_TRUE(request.has_frame());
  return request.frame();
}

v1::Frame opening_of(const FrameLoop& loop, std::uint32_t tick) {
  v1::PlayRequest request;
  EXPECT_TRUE(request.ParseFromString(loop.opening(tick)));
  return request.frame();
}

std::vector<v1::Spawn> spawns_of(const v1::Frame& frame) {
  return {frame.spawns().begin(), frame.spawns().end()};
}

TEST(LoadFrameLoop, AnyTickIsAcknowledgedInTheSameNumberOfBytes) {
  const Scene scene = gunbird();
  const auto loops = make_loops(scene, MotionKind::kExplicit, 4);
  for (const std::uint64_t tick : {0ull, 1ull, 127ull, 128ull, 5'000'000ull, (1ull << 28) - 1}) {
    EXPECT_EQ(frame_of(loops[0], 3, tick).acknowledged_tick(), tick);
  }
}

TEST(LoadFrameLoop, EveryObjectMovesInEveryTickAndTheLoopEndsWhereItBegan) {
  const Scene scene = gunbird();
  std::size_t objects = 0;
  for (const FrameLoop& loop : make_loops(scene, MotionKind::kExplicit, 4)) {
    std::map<std::int64_t, Point> sums;
    for (std::uint32_t tick = 0; tick < loop.ticks(); ++tick) {
      const v1::Frame frame = frame_of(loop, tick, tick);
      EXPECT_EQ(frame.spawns_size(), 0);
      EXPECT_EQ(frame.moves().dx_size(), frame.moves().id_delta_size());
      std::int64_t id = 0;
      for (int row = 0; row < frame.moves().id_delta_size(); ++row) {
        id += frame.moves().id_delta(row);
        Point& sum = sums[id];
        sum = {sum.x + frame.moves().dx(row), sum.y + frame.moves().dy(row)};
      }
      EXPECT_GE(frame.moves().id_delta_size(), 106);
    }
    for (const auto& [id, sum] : sums) EXPECT_EQ(sum, Point{}) << id;
    objects += sums.size();
  }
  EXPECT_EQ(objects, 426u + 4);  // And the probes.
}

TEST(LoadFrameLoop, AW1FrameTakesAtMost350BytesOnAverage) {
  const Scene scene = gunbird();
  std::size_t bytes = 0, frames = 0;
  for (const FrameLoop& loop : make_loops(scene, MotionKind::kExplicit, 4)) {
    for (std::uint32_t tick = 0; tick < loop.ticks(); ++tick, ++frames) {
      bytes += loop.frame(tick).size() + kAcknowledgementBytes + 5;  // gRPC's own five.
    }
  }
  EXPECT_LE(bytes, 350 * frames);
}

TEST(LoadFrameLoop, TheOpeningPutsEverythingWhereTheNextFrameExpectsIt) {
  const Scene scene = gunbird();
  const auto loops = make_loops(scene, MotionKind::kExplicit, 3);
  std::map<std::uint32_t, Point> at;
  for (const v1::Spawn& spawn : spawns_of(opening_of(loops[1], 100)))
    at[spawn.object_id()] = {spawn.x(), spawn.y()};
  for (std::uint32_t tick = 101; tick < 101 + loops[1].ticks(); ++tick) {
    const v1::Frame frame = frame_of(loops[1], tick % loops[1].ticks(), 0);
    std::int64_t id = 0;
    for (int row = 0; row < frame.moves().id_delta_size(); ++row) {
      id += frame.moves().id_delta(row);
      ASSERT_TRUE(at.contains(static_cast<std::uint32_t>(id))) << id;
      Point& object = at[static_cast<std::uint32_t>(id)];
      object = {object.x + frame.moves().dx(row), object.y + frame.moves().dy(row)};
    }
  }
  for (const v1::Spawn& spawn : spawns_of(opening_of(loops[1], 100))) {
    EXPECT_EQ(at[spawn.object_id()], (Point{spawn.x(), spawn.y()}));
  }
}

// What turns is back after a loop, if each of its turns was told in its tick; but for players nothing else
// moves.
TEST(LoadFrameLoop, WhatTheServerMovesOnTurnsInTimeAndComesBack) {
  const Scene scene = gunbird();
  std::size_t turning = 0;
  for (const FrameLoop& loop : make_loops(scene, MotionKind::kServerButPlayers, 4)) {
    std::map<std::uint32_t, std::pair<Point, Point>> objects;  // Where they are, and by what they move.
    for (const v1::Spawn& spawn : spawns_of(opening_of(loop, 0))) {
      if (!spawn.has_motion() || spawn.time_to_live_ticks() != 0) continue;
      const Point velocity{spawn.motion().velocity_x(), spawn.motion().velocity_y()};
      objects[spawn.object_id()] = {{spawn.x() + velocity.x, spawn.y() + velocity.y}, velocity};
    }
    const auto first = objects;
    std::size_t changes = 0;
    for (std::uint32_t tick = 1; tick <= loop.ticks(); ++tick) {
      const v1::Frame frame = frame_of(loop, tick % loop.ticks(), 0);
      EXPECT_LE(frame.moves().id_delta_size(), 2) << "a player and a probe";
      for (const v1::MotionChange& change : frame.motions())
        objects.at(change.object_id()).second = {change.motion().velocity_x(), change.motion().velocity_y()};
      changes += static_cast<std::size_t>(frame.motions_size());
      for (auto& [id, object] : objects)
        object.first = {object.first.x + object.second.x, object.first.y + object.second.y};
    }
    EXPECT_EQ(objects, first);
    EXPECT_LT(changes, objects.size() * loop.ticks() / 10);
    turning += objects.size();
  }
  EXPECT_EQ(turning, 64u) << "60 enemies and 4 bosses";
}

// Whatever comes a few ticks early or late, an id that is spawned must have been free for long.
TEST(LoadFrameLoop, TheServersMotionIsGivenIdsThatAreFreeAndAsManyObjectsLive) {
  const Scene scene = gunbird();
  std::set<std::uint32_t> all_ids;
  std::map<std::uint32_t, std::uint32_t> alive;  // By tick.
  for (const FrameLoop& loop : make_loops(scene, MotionKind::kServer, 4)) {
    std::map<std::uint32_t, std::uint32_t> free_from;
    for (const v1::Spawn& spawn : spawns_of(opening_of(loop, 0))) {
      EXPECT_TRUE(all_ids.insert(spawn.object_id()).second);
      if (spawn.has_motion()) free_from[spawn.object_id()] = spawn.time_to_live_ticks();
    }
    std::uint32_t living = static_cast<std::uint32_t>(free_from.size());
    EXPECT_GE(living, 85u);
    for (std::uint32_t tick = 1; tick <= 2 * loop.ticks(); ++tick) {
      for (const v1::Spawn& spawn : spawns_of(frame_of(loop, tick % loop.ticks(), 0))) {
        const auto last = free_from.find(spawn.object_id());
        if (last != free_from.end()) {
          EXPECT_LE(last->second + 5, tick) << spawn.object_id();
        }
        EXPECT_TRUE(spawn.despawn_outside_playfield());
        free_from[spawn.object_id()] = tick + spawn.time_to_live_ticks();
      }
      std::uint32_t flying = 0;
      for (const auto& [id, end] : free_from) flying += end > tick ? 1 : 0;
      EXPECT_EQ(flying, living) << tick;
    }
  }
}

TEST(LoadFrameLoop, ItsProbeChangesSidesWhenItSaysSo) {
  const Scene scene = gunbird();
  for (const FrameLoop& loop : make_loops(scene, MotionKind::kExplicit, 4)) {
    std::uint32_t probes = 0;
    for (std::uint32_t tick = 0; tick < loop.ticks(); ++tick) {
      const std::uint32_t before = (tick + loop.ticks() - 1) % loop.ticks();
      EXPECT_EQ(loop.probes_in(tick), loop.in_contact_after(tick) != loop.in_contact_after(before));
      const v1::Frame frame = frame_of(loop, tick, 0);
      std::int64_t id = 0;
      bool moves_probe = false;
      for (const std::int64_t delta : frame.moves().id_delta())
        moves_probe |= (id += delta) == loop.probe().mover;
      EXPECT_EQ(moves_probe, loop.probes_in(tick));
      probes += loop.probes_in(tick) ? 1 : 0;
    }
    EXPECT_EQ(probes, loop.ticks() / 30);
  }
}

TEST(LoadFrameLoop, OnANewStreamEverythingThatClientsMoveIsGivenAbsolutely) {
  const Scene scene = gunbird();
  const auto loops = make_loops(scene, MotionKind::kExplicit, 4);
  v1::PlayRequest request;
  ASSERT_TRUE(request.ParseFromString(loops[2].restart(77)));
  const auto& moves = request.frame().absolute_moves();
  std::map<std::uint32_t, Point> at;
  for (int row = 0; row < moves.object_id_size(); ++row)
    at[moves.object_id(row)] = {moves.x(row), moves.y(row)};
  for (const v1::Spawn& spawn : spawns_of(opening_of(loops[2], 77))) {
    if (spawn.object_id() == loops[2].probe().partner) continue;
    EXPECT_EQ(at[spawn.object_id()], (Point{spawn.x(), spawn.y()}));
  }
}

}  // namespace
}  // namespace sweepd::tools::load::frame_loop_test
