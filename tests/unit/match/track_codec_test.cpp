// SPDX-License-Identifier: MIT
//
// Protects the past in a snapshot: tracks come back as they were, take next to nothing where an object goes
// straight on, and end where they have to; and motion can be followed back.
#include "match/history/track_codec.h"

#include <gtest/gtest.h>

namespace sweepd::match::track_codec_test {
namespace {

using collision::kSubunitsMax;
using collision::kSubunitsMin;
using collision::Point;

constexpr TrackFrame kFrame{.start = 100, .last = 300, .origin = {10, 10}};

std::string bytes_of(const std::vector<TrackPoint>& track, const TrackFrame& frame = kFrame) {
  base::ByteWriter writer;
  write_track(writer, track, frame);
  return writer.take();
}

std::vector<TrackPoint> read_back(std::string_view bytes, const TrackFrame& frame = kFrame) {
  base::ByteReader reader(bytes);
  std::vector<TrackPoint> track;
  read_track(reader, frame, track);
  reader.finish();
  EXPECT_TRUE(reader.ok());
  return track;
}

std::vector<TrackPoint> straight(std::size_t ticks) {
  std::vector<TrackPoint> track;
  for (std::size_t i = 1; i <= ticks; ++i) {
    const auto way = static_cast<collision::Subunits>(i);
    track.push_back({100 + i, {10 + 300 * way, 10 - 7 * way}});
  }
  return track;
}

TEST(TrackCodec, TracksComeBackAsTheyWere) {
  const std::vector<TrackPoint> tracks[] = {
      {},
      {{101, {1, 2}}},
      {{300, {1, 2}}},
      {{150, {1, 2}}, {151, {9, -9}}, {153, {9, -9}}, {200, {5, 5}}},
      {{101, {kSubunitsMin, kSubunitsMax}}, {102, {kSubunitsMax, kSubunitsMin}}, {103, {0, 0}}},
      straight(1),
      straight(64),
      straight(65),
      straight(200)};
  for (const std::vector<TrackPoint>& track : tracks) EXPECT_EQ(read_back(bytes_of(track)), track);
}

TEST(TrackCodec, WhatGoesStraightOnTakesNextToNothing) {
  EXPECT_LE(bytes_of(straight(200)).size(), 12u);
  EXPECT_EQ(bytes_of({}).size(), 1u);
}

TEST(TrackCodec, ATrackBeyondItsEndIsRefused) {
  for (const Tick last : {101u, 199u, 299u}) {
    const std::string bytes = bytes_of(straight(200));
    base::ByteReader reader(bytes);
    std::vector<TrackPoint> track;
    read_track(reader, {kFrame.start, last, kFrame.origin}, track);
    EXPECT_FALSE(reader.ok()) << last;
  }
  base::ByteReader gap("\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  std::vector<TrackPoint> track;
  read_track(gap, kFrame, track);
  EXPECT_FALSE(gap.ok());
}

TEST(Trajectory, IsFollowedBackToWhereItCameFrom) {
  const Trajectory trajectory{{100, -200}, {{5, -6}, {-1, 2}}};
  for (const Tick ticks : {0u, 1u, 2u, 7u, 120u, 3600u}) {
    EXPECT_EQ(rewound(advanced(trajectory, ticks), ticks), trajectory);
    EXPECT_EQ(advanced(rewound(trajectory, ticks), ticks), trajectory);
  }
}

TEST(Trajectory, WrapsWhereItCannotHaveCome) {
  const Trajectory trajectory{{kSubunitsMax, 0}, {{kSubunitsMax, 0}, {kSubunitsMax, 0}}};
  EXPECT_EQ(rewound(advanced(trajectory, 3'000'000'000), 3'000'000'000), trajectory);
  EXPECT_EQ(sum({kSubunitsMax, 0}, {1, 0}).x, kSubunitsMin);
  EXPECT_EQ(difference({kSubunitsMin, 0}, {kSubunitsMax, 0}).x, 1);
}

}  // namespace
}  // namespace sweepd::match::track_codec_test
