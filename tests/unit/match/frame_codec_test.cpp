// SPDX-License-Identifier: MIT
//
// Protects frames that wait in a snapshot: each comes back with all that it had, and bytes that are cut off
// anywhere are refused.
#include "match/frame_codec.h"

#include <gtest/gtest.h>

#include "unit/match/match_builders.h"

namespace sweepd::match::frame_codec_test {
namespace {

Frame full_frame() {
  Frame frame;
  frame.tick = 101;
  frame.acknowledged_tick = 99;
  frame.spawns = {object_at(7, {1, 2})};
  frame.reshapes = {{8, {{.box = {1, 2, 3, 4}, .layer = 2}}}};
  frame.layer_changes = {{9, 3, 1}, {10, std::nullopt, 2}};
  frame.moves = {{11, {5, 6}}, {12, {-7, -8}}};
  frame.relative_moves = 1;
  frame.teleports = {{13, {9, 10}}};
  frame.motions = {{14, {{1, 2}, {3, 4}}}};
  frame.freezes = {{.layers = {1, 2}, .region = collision::Box{1, 2, 3, 4}}};
  frame.releases = {{.layers = {0}, .region = {}}};
  frame.disables = {{15, 120}};
  frame.enables = {16, 17};
  frame.transfers = {{.objects = {18, 19}, .to = 3, .with_stage = true}};
  frame.despawns = {20};
  frame.mass_despawns = {{}, {.layers = {5}, .region = {}}};
  frame.scroll = collision::Point{21, 22};
  frame.claims = {{.number = 1,
                   .shot = 2,
                   .target = 3,
                   .shot_part = 4,
                   .target_part = {},
                   .tick_seen = 98,
                   .tolerance = 5}};
  frame.messages = {{.bytes = "all"},
                    {.to = AppMessage::To::kParticipant, .number = 63, .bytes = std::string("\0x", 2)}};
  frame.spawns[0].tag = ~std::uint64_t{0};
  frame.delay_ticks = 6;
  frame.arrival_tick = 97;
  return frame;
}

Frame round_trip(const Frame& frame) {
  base::ByteWriter writer;
  write(writer, frame);
  base::ByteReader reader(writer.bytes());
  Frame read = read_frame(reader);
  reader.finish();
  EXPECT_TRUE(reader.ok());
  return read;
}

TEST(FrameCodec, TicksAndWhatIsSaidOfTheSenderComeBack) {
  const Frame read = round_trip(full_frame());
  EXPECT_EQ(read.tick, 101u);
  EXPECT_EQ(read.acknowledged_tick, 99u);
  EXPECT_EQ(read.arrival_tick, 97u);
  EXPECT_EQ(read.delay_ticks, 6u);
  EXPECT_EQ(round_trip({}).delay_ticks, std::nullopt);
}

TEST(FrameCodec, ChangesToObjectsComeBack) {
  const Frame read = round_trip(full_frame());
  ASSERT_TRUE(read.spawns.size() == 1 && read.reshapes.size() == 1 && read.layer_changes.size() == 2);
  EXPECT_EQ(read.spawns[0].id, 7u);
  EXPECT_EQ(read.reshapes[0].object, 8u);
  EXPECT_EQ(read.reshapes[0].parts, full_frame().reshapes[0].parts);
  EXPECT_EQ(read.layer_changes[0].object, 9u);
  EXPECT_EQ(read.layer_changes[0].part, 3u);
  EXPECT_EQ(read.layer_changes[0].layer, 1u);
  EXPECT_EQ(read.layer_changes[1].part, std::nullopt);
  ASSERT_TRUE(read.disables.size() == 1);
  EXPECT_EQ(read.disables[0].object, 15u);
  EXPECT_EQ(read.disables[0].until_tick, 120u);
  EXPECT_EQ(read.enables, (std::vector<ObjectId>{16, 17}));
  EXPECT_EQ(read.despawns, (std::vector<ObjectId>{20}));
}

TEST(FrameCodec, MovesComeBack) {
  const Frame read = round_trip(full_frame());
  ASSERT_TRUE(read.moves.size() == 2 && read.teleports.size() == 1 && read.motions.size() == 1);
  EXPECT_EQ(read.moves[1].object, 12u);
  EXPECT_EQ(read.moves[1].position, (collision::Point{-7, -8}));
  EXPECT_EQ(read.relative_moves, 1u);
  EXPECT_EQ(read.teleports[0].object, 13u);
  EXPECT_EQ(read.teleports[0].position, (collision::Point{9, 10}));
  EXPECT_EQ(read.motions[0].object, 14u);
  EXPECT_EQ(read.motions[0].motion, full_frame().motions[0].motion);
}

TEST(FrameCodec, MassChangesComeBack) {
  const Frame read = round_trip(full_frame());
  ASSERT_TRUE(read.freezes.size() == 1 && read.releases.size() == 1 && read.mass_despawns.size() == 2);
  EXPECT_EQ(read.freezes[0].layers, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(read.freezes[0].region, (collision::Box{1, 2, 3, 4}));
  EXPECT_EQ(read.releases[0].region, std::nullopt);
  EXPECT_EQ(read.mass_despawns[1].layers, (std::vector<std::uint32_t>{5}));
  ASSERT_EQ(read.transfers.size(), 1u);
  EXPECT_EQ(read.transfers[0].objects, (std::vector<ObjectId>{18, 19}));
  EXPECT_EQ(read.transfers[0].to, 3u);
  EXPECT_TRUE(read.transfers[0].with_stage);
  EXPECT_EQ(read.scroll, (collision::Point{21, 22}));
}

TEST(FrameCodec, ClaimsComeBack) {
  const Frame read = round_trip(full_frame());
  ASSERT_EQ(read.claims.size(), 1u);
  const auto& [number, shot, target, shot_part, target_part, tick_seen, tolerance] = read.claims[0];
  EXPECT_EQ(number, 1u);
  EXPECT_EQ(shot, 2u);
  EXPECT_EQ(target, 3u);
  EXPECT_EQ(shot_part, 4u);
  EXPECT_EQ(target_part, std::nullopt);
  EXPECT_EQ(tick_seen, 98u);
  EXPECT_EQ(tolerance, 5u);
}

TEST(FrameCodec, MessagesAndTagsComeBack) {
  Frame frame = full_frame();
  EXPECT_EQ(round_trip(frame).messages, frame.messages);
  EXPECT_EQ(round_trip(frame).spawns[0].tag, ~std::uint64_t{0});
  frame.scroll.reset();
  EXPECT_EQ(round_trip(frame).messages, frame.messages);
  EXPECT_EQ(round_trip(frame).scroll, std::nullopt);
}

TEST(FrameCodec, AMessageToAnImpossibleReceiverOrThatIsTooLongIsRefused) {
  Frame frame;
  frame.messages = {{.to = static_cast<AppMessage::To>(3)}};
  const auto is_refused = [](const Frame& bad) {
    base::ByteWriter writer;
    write(writer, bad);
    base::ByteReader reader(writer.bytes());
    read_frame(reader);
    return !reader.ok();
  };
  EXPECT_TRUE(is_refused(frame));
  frame.messages = {{.bytes = std::string(AppMessage::kBytesMax + 1, 'x')}};
  EXPECT_TRUE(is_refused(frame));
}

TEST(FrameCodec, AFrameThatIsCutOffIsRefused) {
  base::ByteWriter writer;
  write(writer, full_frame());
  const std::string bytes = writer.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    base::ByteReader reader(std::string_view(bytes).substr(0, size));
    read_frame(reader);
    EXPECT_FALSE(reader.ok()) << size;
  }
}

}  // namespace
}  // namespace sweepd::match::frame_codec_test
