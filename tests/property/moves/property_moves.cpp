// SPDX-License-Identifier: MIT
//
// Protects relative moves end to end: what the SDK writes and the server reads must be where the game wanted
// its objects, whatever it spawns, moves, teleports, despawns, leaves alone for long or never mentions again;
// and neither side may keep something of every object that there ever was.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <map>

#include "move_encoder.h"
#include "property/random.h"
#include "wire/frame_codec.h"

namespace sweepd::property::property_moves {
namespace {

using collision::ObjectId;
using collision::Point;
using Moves = std::map<ObjectId, Point>;

void add(v1::AbsoluteMoveColumns& columns, ObjectId id, Point to) {
  columns.add_object_id(id);
  columns.add_x(to.x);
  columns.add_y(to.y);
}

void add_spawn(v1::Frame& frame, ObjectId id, Point at) {
  v1::Spawn& spawn = *frame.add_spawns();
  spawn.set_object_id(id);
  spawn.set_x(at.x);
  spawn.set_y(at.y);
  spawn.set_time_to_live_ticks(2);
}

/// The two ends of a stream.
struct Stream {
  internal::MoveEncoder encoder;
  wire::FrameDecoder decoder;
  wire::FrameDecoder::Undo undo;

  /// Where the server moves objects to.
  Moves send(v1::Frame frame) {
    encoder.encode(&frame);
    const auto decoded = decoder.decode(frame, undo);
    EXPECT_TRUE(decoded.ok());
    Moves moves;
    if (decoded.ok()) {
      for (const match::Move& move : decoded->moves) moves[move.object] = move.position;
    }
    return moves;
  }
};

class Scene {
 public:
  explicit Scene(std::uint64_t seed) : random_(seed), objects_(random_.between(1, 60)) {}

  /// A frame, and what it moves.
  Moves write(v1::Frame& frame) {
    Moves wanted;
    if (random_.chance(20)) return wanted;  // Nothing happens.
    for (std::int64_t change = random_.between(0, 6); change > 0; --change) {
      const auto id = static_cast<ObjectId>(random_.between(1, objects_));
      const std::int64_t kind = random_.between(0, 19);
      if (kind == 0) add_spawn(frame, id, last_[id] = anywhere());
      if (kind == 1) frame.add_despawns(id);
      if (kind == 2) add(*frame.mutable_teleports(), id, last_[id] = anywhere());
      if (kind >= 3) wanted[id] = last_[id] = kind == 3 ? anywhere() : near(last_[id]);
    }
    for (const auto& [id, to] : wanted) add(*frame.mutable_absolute_moves(), id, to);
    return wanted;
  }

 private:
  std::int32_t coordinate() {
    return static_cast<std::int32_t>(
        random_.between(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
  }
  Point anywhere() { return {coordinate(), coordinate()}; }
  Point near(Point point) {
    const auto step = static_cast<std::int32_t>(random_.between(-300, 300));
    const auto side = [](std::int32_t value) { return value > 0 ? -1 : 1; };  // Away from the edge.
    return {point.x + side(point.x) * std::abs(step), point.y + side(point.y) * std::abs(step)};
  }

  Random random_;
  std::int64_t objects_;
  Moves last_;
};

TEST(Moves, ArriveWhereTheGameWantedThemWhateverWasLeftAloneForLong) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Scene scene(seed);
    Stream stream;
    for (int frame_number = 0; frame_number < 2'000; ++frame_number) {
      v1::Frame frame;
      const Moves wanted = scene.write(frame);
      ASSERT_EQ(stream.send(frame), wanted) << "seed " << seed << ", frame " << frame_number;
    }
  }
}

TEST(Moves, OfMoreObjectsThanAStreamMayHavePositionsForAreTakenWhenTheyComeOneAfterTheOther) {
  constexpr ObjectId kObjectsPerFrame = 4'096;
  constexpr ObjectId kShip = 1;
  constexpr std::size_t kHeldMax = 2 * (kObjectsPerFrame + 1) * wire::PositionTable::kFramesMax;
  Stream stream;
  ObjectId next = kShip + 1;
  for (int frame_number = 0; next < 3 * wire::PositionTable::kPositionsMax / 2; ++frame_number) {
    v1::Frame frame;
    for (ObjectId i = 0; i < kObjectsPerFrame; ++i) add_spawn(frame, next++, {frame_number, 0});
    const Point ship{frame_number, -frame_number};
    add(*frame.mutable_absolute_moves(), kShip, ship);
    ASSERT_EQ(stream.send(frame), (Moves{{kShip, ship}})) << frame_number;
    ASSERT_LE(stream.decoder.objects(), kHeldMax);
    ASSERT_LE(stream.encoder.size(), kHeldMax);
  }
}

}  // namespace
}  // namespace sweepd::property::property_moves
