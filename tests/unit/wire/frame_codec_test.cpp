// SPDX-License-Identifier: MIT
//
// Protects what a frame means, above all the relative moves: each row builds on what the stream has sent
// before, a row that would wrap is refused, and a refused frame leaves no trace.
#include "wire/frame_codec.h"

#include <gtest/gtest.h>

#include <limits>

namespace sweepd::wire::frame_codec_test {
namespace {

using collision::Point;

constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

void add_spawn(v1::Frame& frame, std::uint32_t id, std::int32_t x, std::int32_t y) {
  auto* spawn = frame.add_spawns();
  spawn->set_object_id(id);
  spawn->set_x(x);
  spawn->set_y(y);
}

void add_move(v1::Frame& frame, std::int64_t id_delta, std::int32_t dx, std::int32_t dy) {
  frame.mutable_moves()->add_id_delta(id_delta);
  frame.mutable_moves()->add_dx(dx);
  frame.mutable_moves()->add_dy(dy);
}

void add_absolute_move(v1::Frame& frame, std::uint32_t id, std::int32_t x, std::int32_t y) {
  frame.mutable_absolute_moves()->add_object_id(id);
  frame.mutable_absolute_moves()->add_x(x);
  frame.mutable_absolute_moves()->add_y(y);
}

base::Result<match::Frame, match::FieldError> decode(FrameDecoder& decoder, const v1::Frame& message) {
  static FrameDecoder::Undo undo;  // As for all decoders of a loop.
  return decoder.decode(message, undo);
}

/// Where a move of object `id` by (dx, dy) leads.
Point moved(FrameDecoder& decoder, std::uint32_t id, std::int32_t dx = 0, std::int32_t dy = 0) {
  v1::Frame message;
  add_move(message, id, dx, dy);
  const auto frame = decode(decoder, message);
  EXPECT_TRUE(frame.ok());
  EXPECT_EQ(frame->moves.at(0).object, id);
  return frame->moves.at(0).position;
}

std::string refused_field(FrameDecoder& decoder, const v1::Frame& message) {
  const auto frame = decode(decoder, message);
  EXPECT_FALSE(frame.ok());
  return frame.ok() ? "" : frame.error().field;
}

TEST(FrameDecoder, BasesComeFromSpawnsMovesAndAbsoluteMoves) {
  FrameDecoder decoder;
  v1::Frame message;
  add_spawn(message, 5, 100, 200);
  EXPECT_TRUE(decode(decoder, message).ok());
  EXPECT_EQ(moved(decoder, 5, 1, -1), (Point{101, 199}));
  EXPECT_EQ(moved(decoder, 5, 1, -1), (Point{102, 198}));
  v1::Frame absolute;
  add_absolute_move(absolute, 5, -7, -8);
  EXPECT_TRUE(decode(decoder, absolute).ok());
  EXPECT_EQ(moved(decoder, 5, 1, 1), (Point{-6, -7}));
}

TEST(FrameDecoder, ATeleportIsTheBaseOfTheNextMove) {
  FrameDecoder decoder;
  moved(decoder, 5, 10, 10);
  v1::Frame message;
  message.mutable_teleports()->add_object_id(5);
  message.mutable_teleports()->add_x(100);
  message.mutable_teleports()->add_y(-100);
  EXPECT_EQ(decode(decoder, message)->teleports.at(0).position, (Point{100, -100}));
  EXPECT_EQ(moved(decoder, 5, 1, 1), (Point{101, -99}));
  message.mutable_teleports()->add_y(0);
  EXPECT_EQ(decode(decoder, message).error().field, "teleports.y");
}

TEST(FrameDecoder, TheBaseOfWhatWasNeverSentIsTheOrigin) {
  FrameDecoder decoder;
  EXPECT_EQ(moved(decoder, 9, 3, 4), (Point{3, 4}));
}

TEST(FrameDecoder, ADespawnForgetsTheBaseAfterTheMovesOfItsFrame) {
  FrameDecoder decoder;
  moved(decoder, 5, 10, 10);
  v1::Frame message;
  add_move(message, 5, 1, 1);
  message.add_despawns(5);
  EXPECT_EQ(decode(decoder, message)->moves.at(0).position, (Point{11, 11}));
  EXPECT_EQ(moved(decoder, 5, 1, 1), (Point{1, 1}));
}

TEST(FrameDecoder, WithinAFrameSpawnsThenRowsThenAbsoluteRowsBuildOnEachOther) {
  FrameDecoder decoder;
  v1::Frame message;
  add_move(message, 5, 1, 0);
  add_move(message, 0, 2, 0);
  add_spawn(message, 5, 100, 0);
  add_absolute_move(message, 5, 50, 0);
  const auto frame = decode(decoder, message);
  ASSERT_TRUE(frame.ok());
  ASSERT_EQ(frame->moves.size(), 3u);
  EXPECT_EQ(frame->relative_moves, 2u);
  EXPECT_EQ(frame->moves[0].position.x, 101);
  EXPECT_EQ(frame->moves[1].position.x, 103);
  EXPECT_EQ(frame->moves[2].position.x, 50);
  EXPECT_EQ(moved(decoder, 5).x, 50);
}

/// Where a row against its course leads.
Point moved_against_course(FrameDecoder& decoder, std::uint32_t id, std::int32_t dx, std::int32_t dy) {
  v1::Frame message;
  add_move(message, id, dx, dy);
  message.mutable_moves()->set_is_against_course(true);
  const auto frame = decode(decoder, message);
  EXPECT_TRUE(frame.ok());
  return frame->moves.at(0).position;
}

TEST(FrameDecoder, WhatIsAgainstItsCourseGoesOnAsItWent) {
  FrameDecoder decoder;
  EXPECT_EQ(moved(decoder, 5, 10, 20), (Point{10, 20}));
  EXPECT_EQ(moved_against_course(decoder, 5, 0, 0), (Point{10, 20})) << "a first row is no step";
  EXPECT_EQ(moved(decoder, 5, 3, -4), (Point{13, 16}));
  EXPECT_EQ(moved_against_course(decoder, 5, 0, 0), (Point{16, 12}));
  EXPECT_EQ(moved_against_course(decoder, 5, 1, 0), (Point{20, 8}));
  EXPECT_EQ(moved_against_course(decoder, 5, 0, 0), (Point{24, 4})) << "its last step was longer";
}

TEST(FrameDecoder, SpawnsAbsoluteMovesAndTeleportsEndACourse) {
  for (int kind = 0; kind < 3; ++kind) {
    FrameDecoder decoder;
    moved(decoder, 5, 1, 1);
    moved(decoder, 5, 1, 1);
    v1::Frame message;
    if (kind == 0) add_spawn(message, 5, 100, 100);
    if (kind == 1) add_absolute_move(message, 5, 100, 100);
    if (kind == 2) {
      message.mutable_teleports()->add_object_id(5);
      message.mutable_teleports()->add_x(100);
      message.mutable_teleports()->add_y(100);
    }
    ASSERT_TRUE(decode(decoder, message).ok());
    EXPECT_EQ(moved_against_course(decoder, 5, 0, 0), (Point{100, 100})) << kind;
  }
}

TEST(FrameDecoder, AStepThatDoesNotFitIsNone) {
  FrameDecoder decoder;
  v1::Frame message;
  add_absolute_move(message, 5, kMin, 0);
  ASSERT_TRUE(decode(decoder, message).ok());
  moved(decoder, 5, kMax, 0);                         // To -1: a step of kMax.
  EXPECT_EQ(moved(decoder, 5, 1, 0), (Point{0, 0}));  // A step of 1.
  EXPECT_EQ(moved_against_course(decoder, 5, kMax - 1, 0), (Point{kMax, 0}));
  message.Clear();
  add_move(message, 5, kMin, 0);
  message.mutable_moves()->set_is_against_course(true);
  ASSERT_TRUE(decode(decoder, message).ok()) << "kMax, on by kMax, and back by more than that";
  EXPECT_EQ(moved_against_course(decoder, 5, 0, 0).y, 0);
}

TEST(FrameDecoder, ARefusedFrameLeavesCoursesAsTheyWere) {
  FrameDecoder decoder;
  moved(decoder, 5, 0, 0);
  moved(decoder, 5, 7, 0);
  v1::Frame message;
  add_move(message, 5, 100, 0);
  add_move(message, -6, 0, 0);
  EXPECT_EQ(refused_field(decoder, message), "moves.id_delta[1]");
  EXPECT_EQ(moved_against_course(decoder, 5, 0, 0), (Point{14, 0}));
}

TEST(FrameDecoder, IdsAreDifferencesInBothDirections) {
  FrameDecoder decoder;
  v1::Frame message;
  add_move(message, 4'294'967'295, 0, 0);
  add_move(message, -4'294'967'294, 0, 0);
  add_move(message, 9, 0, 0);
  const auto frame = decode(decoder, message);
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame->moves[0].object, 4'294'967'295u);
  EXPECT_EQ(frame->moves[1].object, 1u);
  EXPECT_EQ(frame->moves[2].object, 10u);
}

TEST(FrameDecoder, AnIdOutsideItsRangeIsRefused) {
  for (const std::int64_t delta :
       {std::int64_t{-1}, std::int64_t{4'294'967'296}, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    FrameDecoder decoder;
    v1::Frame message;
    add_move(message, delta, 0, 0);
    EXPECT_EQ(refused_field(decoder, message), "moves.id_delta[0]");
    v1::Frame second;
    add_move(second, 4'294'967'295, 0, 0);
    add_move(second, delta < 0 ? std::numeric_limits<std::int64_t>::min() : delta, 0, 0);
    EXPECT_EQ(refused_field(decoder, second), "moves.id_delta[1]");
  }
}

TEST(FrameDecoder, ACoordinateOutsideItsRangeIsRefusedAndNeverWraps) {
  FrameDecoder decoder;
  EXPECT_EQ(moved(decoder, 5, kMax, kMin), (Point{kMax, kMin}));
  v1::Frame message;
  add_move(message, 5, 1, 0);
  EXPECT_EQ(refused_field(decoder, message), "moves.dx[0]");
  v1::Frame other;
  add_move(other, 4, 0, 0);
  add_move(other, 1, 0, -1);
  EXPECT_EQ(refused_field(decoder, other), "moves.dy[1]");
  EXPECT_EQ(moved(decoder, 5, kMin, kMax), (Point{-1, -1}));
}

TEST(FrameDecoder, ColumnsOfUnequalLengthAreRefused) {
  FrameDecoder decoder;
  v1::Frame message;
  message.mutable_moves()->add_dx(1);
  EXPECT_EQ(refused_field(decoder, message), "moves.dx");
  message.mutable_moves()->add_id_delta(1);
  EXPECT_EQ(refused_field(decoder, message), "moves.dy");
  v1::Frame absolute;
  absolute.mutable_absolute_moves()->add_object_id(1);
  EXPECT_EQ(refused_field(decoder, absolute), "absolute_moves.x");
  absolute.mutable_absolute_moves()->add_x(1);
  EXPECT_EQ(refused_field(decoder, absolute), "absolute_moves.y");
}

TEST(FrameDecoder, ARefusedFrameLeavesTheBasesAsTheyWere) {
  FrameDecoder decoder;
  moved(decoder, 5, 10, 20);
  v1::Frame message;
  add_spawn(message, 5, 1000, 1000);
  add_spawn(message, 6, 1000, 1000);
  add_move(message, 5, 1, 1);
  add_move(message, 0, 1, 1);
  add_move(message, 2, 1, 1);
  message.add_despawns(5);
  message.mutable_absolute_moves()->add_object_id(5);
  EXPECT_EQ(refused_field(decoder, message), "absolute_moves.x");
  EXPECT_EQ(moved(decoder, 5), (Point{10, 20}));
  EXPECT_EQ(moved(decoder, 6), (Point{0, 0}));
  EXPECT_EQ(moved(decoder, 7), (Point{0, 0}));
}

TEST(FrameDecoder, ARefusedFrameUndoesNothingOfAnotherDecoder) {
  FrameDecoder others;
  FrameDecoder decoder;
  moved(decoder, 5, 10, 20);
  moved(others, 5, 1, 2);
  moved(others, 6, 3, 4);
  v1::Frame malformed;
  add_spawn(malformed, 5, 1000, 1000);
  malformed.mutable_absolute_moves()->add_object_id(6);
  EXPECT_EQ(refused_field(decoder, malformed), "absolute_moves.x");
  EXPECT_EQ(moved(decoder, 5), (Point{10, 20}));
  EXPECT_EQ(moved(decoder, 6), (Point{0, 0}));
  EXPECT_EQ(moved(others, 5), (Point{1, 2}));
  EXPECT_EQ(moved(others, 6), (Point{3, 4}));
}

TEST(FrameDecoder, ABaseIsForgottenWhenSixtyFourFramesHaveNotPlacedTheObject) {
  for (const std::uint32_t frames : {PositionTable::kFramesMax - 1, PositionTable::kFramesMax}) {
    FrameDecoder decoder;
    moved(decoder, 5, 10, 20);
    v1::Frame empty;
    v1::Frame malformed;  // It is a frame of the stream, too.
    malformed.mutable_absolute_moves()->add_object_id(5);
    for (std::uint32_t i = 0; i < frames; ++i) {
      const bool is_whole = i % 2 == 0;
      EXPECT_EQ(decode(decoder, is_whole ? empty : malformed).ok(), is_whole);
    }
    const bool is_forgotten = frames == PositionTable::kFramesMax;
    EXPECT_EQ(moved(decoder, 5, 1, 1), is_forgotten ? (Point{1, 1}) : (Point{11, 21})) << frames;
  }
}

TEST(FrameDecoder, AnObjectPastTheTablesBoundIsRefusedUntilADespawn) {
  FrameDecoder decoder(PositionTable(2));
  moved(decoder, 1, 1, 1);
  moved(decoder, 2, 2, 2);
  v1::Frame spawn;
  add_spawn(spawn, 3, 0, 0);
  EXPECT_EQ(refused_field(decoder, spawn), "spawns[0].object_id");
  v1::Frame move;
  add_move(move, 3, 0, 0);
  EXPECT_EQ(refused_field(decoder, move), "moves.id_delta[0]");
  v1::Frame absolute;
  add_absolute_move(absolute, 3, 0, 0);
  EXPECT_EQ(refused_field(decoder, absolute), "absolute_moves.object_id[0]");
  v1::Frame despawn;
  despawn.add_despawns(1);
  EXPECT_TRUE(decode(decoder, despawn).ok());
  EXPECT_TRUE(decode(decoder, spawn).ok());
  EXPECT_EQ(moved(decoder, 2), (Point{2, 2}));
}

TEST(FrameDecoder, EveryKindOfChangeArrives) {
  v1::Frame message;
  message.set_tick(11);
  message.set_acknowledged_tick(10);
  add_spawn(message, 1, 2, 3);
  auto* spawn = message.mutable_spawns(0);
  auto* part = spawn->add_parts();
  part->set_layer(64);
  part->mutable_box()->set_min_x(-1);
  part->mutable_box()->set_min_y(-2);
  part->mutable_box()->set_max_x(3);
  part->mutable_box()->set_max_y(4);
  spawn->mutable_motion()->set_velocity_x(5);
  spawn->mutable_motion()->set_velocity_y(6);
  spawn->mutable_motion()->set_acceleration_x(7);
  spawn->mutable_motion()->set_acceleration_y(8);
  spawn->set_time_to_live_ticks(9);
  spawn->set_despawn_outside_playfield(true);
  message.add_reshapes()->set_object_id(2);
  message.mutable_reshapes(0)->add_parts()->set_layer(1);
  message.add_layer_changes()->set_object_id(3);
  message.add_layer_changes()->set_part(0);
  message.mutable_layer_changes(1)->set_layer(300);
  message.add_motions()->set_object_id(4);
  message.mutable_motions(0)->mutable_motion()->set_velocity_x(1);
  message.add_disables()->set_object_id(5);
  message.mutable_disables(0)->set_until_tick(99);
  message.add_enables(6);
  message.add_despawns(7);

  FrameDecoder decoder;
  const auto frame = decode(decoder, message);
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame->tick, 11u);
  EXPECT_EQ(frame->acknowledged_tick, 10u);
  const collision::ObjectSpec& spec = frame->spawns.at(0);
  EXPECT_EQ(spec.id, 1u);
  EXPECT_EQ(spec.position, (Point{2, 3}));
  EXPECT_EQ(spec.parts.at(0), (collision::Part{{-1, -2, 3, 4}, 255}))
      << "an index past all layers stays past them";
  EXPECT_EQ(spec.motion, (collision::Motion{{5, 6}, {7, 8}}));
  EXPECT_EQ(spec.time_to_live_ticks, 9u);
  EXPECT_TRUE(spec.despawn_outside_playfield);
  EXPECT_EQ(frame->reshapes.at(0).object, 2u);
  EXPECT_EQ(frame->reshapes.at(0).parts.at(0).layer, 1);
  EXPECT_EQ(frame->layer_changes.at(0).object, 3u);
  EXPECT_FALSE(frame->layer_changes.at(0).part);
  EXPECT_EQ(frame->layer_changes.at(1).part, 0u);
  EXPECT_EQ(frame->layer_changes.at(1).layer, 300u);
  EXPECT_EQ(frame->motions.at(0).object, 4u);
  EXPECT_EQ(frame->motions.at(0).motion.velocity.x, 1);
  EXPECT_EQ(frame->disables.at(0).object, 5u);
  EXPECT_EQ(frame->disables.at(0).until_tick, 99u);
  EXPECT_EQ(frame->enables, std::vector<collision::ObjectId>{6});
  EXPECT_EQ(frame->despawns, std::vector<collision::ObjectId>{7});
}

}  // namespace
}  // namespace sweepd::wire::frame_codec_test
