// SPDX-License-Identifier: MIT
//
// Protects values as bytes: each comes back as it was, sensible or not, and what is no value is refused.
#include "collision/value_codec.h"

#include <gtest/gtest.h>

namespace sweepd::collision::value_codec_test {
namespace {

const Part kMany[] = {
    {.box = {-10, -20, 30, 40}, .layer = 3},
    {.box = {kSubunitsMin, kSubunitsMin, kSubunitsMax, kSubunitsMax}, .layer = 255},
    {.box = {-5, -5, 5, 5}, .layer = 1, .kind = ShapeKind::kCircle, .radius = 5},
    {.box = {-9, -5, 9, 5}, .layer = 1, .kind = ShapeKind::kCapsule, .is_rising = true, .radius = -7},
    {.box = {9, 8, 7, 6}, .layer = 0, .kind = ShapeKind::kMask, .mask = 200},
};

TEST(ValueCodec, PartsComeBackAsTheyWere) {
  base::ByteWriter writer;
  write(writer, std::span<const Part>(kMany));
  base::ByteReader reader(writer.bytes());
  EXPECT_EQ(read_parts(reader, 5), std::vector(std::begin(kMany), std::end(kMany)));
  reader.finish();
  EXPECT_TRUE(reader.ok());
}

TEST(ValueCodec, MorePartsThanMayBeAreRefused) {
  base::ByteWriter writer;
  write(writer, std::span<const Part>(kMany));
  base::ByteReader reader(writer.bytes());
  EXPECT_TRUE(read_parts(reader, 4).empty());
  EXPECT_FALSE(reader.ok());
}

TEST(ValueCodec, ABoxBeyondTheRangeOfCoordinatesIsRefused) {
  base::ByteWriter writer;
  write(writer, Point{kSubunitsMax, 0});
  writer.signed_number(1);
  writer.signed_number(0);
  base::ByteReader reader(writer.bytes());
  read_box(reader);
  EXPECT_FALSE(reader.ok());
}

TEST(ValueCodec, EverythingAboutASpecComesBackAsItWas) {
  const ObjectSpec spec{.id = 7,
                        .owner = 3,
                        .position = {-100, 200},
                        .parts = {kMany[0], kMany[3]},
                        .motion = {{1, -2}, {3, -4}},
                        .time_to_live_ticks = 11,
                        .despawn_outside_playfield = true,
                        .continuous = true,
                        .single_use = true,
                        .hit_points = 12,
                        .damage = 13};
  for (const int only : {0, 1, 2, 3}) {
    ObjectSpec one = spec;
    one.despawn_outside_playfield = only == 0 || only == 1;
    one.continuous = only == 0 || only == 2;
    one.single_use = only == 0 || only == 3;
    base::ByteWriter writer;
    write(writer, one);
    base::ByteReader reader(writer.bytes());
    const ObjectSpec read = read_spec(reader);
    EXPECT_TRUE(reader.ok());
    EXPECT_EQ(read.id, 7u);
    EXPECT_EQ(read.owner, 3u);
    EXPECT_EQ(read.position, spec.position);
    EXPECT_EQ(read.parts, spec.parts);
    EXPECT_EQ(read.motion, spec.motion);
    EXPECT_EQ(read.time_to_live_ticks, 11u);
    EXPECT_EQ(read.despawn_outside_playfield, one.despawn_outside_playfield);
    EXPECT_EQ(read.continuous, one.continuous);
    EXPECT_EQ(read.single_use, one.single_use);
    EXPECT_EQ(read.hit_points, 12u);
    EXPECT_EQ(read.damage, 13u);
  }
}

TEST(ValueCodec, ListsOfPartsThatCameBeforeAreNamedByANumber) {
  const std::span<const Part> first(&kMany[0], 1);
  const std::span<const Part> second(&kMany[1], 2);
  base::ByteWriter writer;
  PartListWriter lists;
  lists.write(writer, first);
  lists.write(writer, second);
  const std::size_t size = writer.size();
  lists.write(writer, first);
  lists.write(writer, second);
  EXPECT_EQ(writer.size(), size + 2);
  base::ByteReader reader(writer.bytes());
  PartListReader read;
  for (const std::span<const Part> list : {first, second, first, second}) {
    EXPECT_EQ(read.read(reader), std::vector(list.begin(), list.end()));
  }
  reader.finish();
  EXPECT_TRUE(reader.ok());
  base::ByteReader unknown("\x01");
  EXPECT_TRUE(PartListReader().read(unknown).empty());
  EXPECT_FALSE(unknown.ok());
}

}  // namespace
}  // namespace sweepd::collision::value_codec_test
