// SPDX-License-Identifier: MIT
#include "match/history/track_codec.h"

#include <algorithm>

#include "base/assert.h"
#include "collision/value_codec.h"

namespace sweepd::match {
namespace {

using collision::Point;

/// What the next bytes are: the low two bits; the others say how many points, less one.
enum class Run : std::uint8_t {
  kEnd = 0,
  kExpected = 1,  ///< Points of ticks that follow each other, each as expected.
  kOther = 2,     ///< Such points, each with how far it is from what was expected.
  kGap = 3,       ///< Ticks without a point: their number follows.
};
constexpr std::size_t kRunMax = 64;

void write_run(base::ByteWriter& writer, Run run, std::size_t points) {
  writer.byte(static_cast<std::uint8_t>(static_cast<unsigned>(run) | (points - 1) << 2));
}

/// Expects that a value goes on as it went from the one before.
class Expectation {
 public:
  explicit Expectation(Point origin) : last_(origin) {}

  Point value() const { return sum(last_, step_); }
  void see(Point value) {
    step_ = difference(value, last_);
    last_ = value;
  }

 private:
  Point last_;
  Point step_;
};

/// How many points from the first on follow each other and are alike in whether they are as expected.
std::size_t length_of_run(std::span<const TrackPoint> track, Expectation expectation) {
  const bool is_expected = track.front().value == expectation.value();
  std::size_t length = 0;
  for (const TrackPoint& point : track.first(std::min(track.size(), kRunMax))) {
    const bool follows = point.tick == track.front().tick + length;
    if (!follows || (point.value == expectation.value()) != is_expected) break;
    expectation.see(point.value);
    ++length;
  }
  return length;
}

}  // namespace

void write_track(base::ByteWriter& writer, std::span<const TrackPoint> track, const TrackFrame& frame) {
  Expectation expectation(frame.origin);
  Tick tick = frame.start;
  while (!track.empty()) {
    SWEEPD_ASSERT(track.front().tick > tick && track.front().tick <= frame.last);
    const Tick gap = track.front().tick - tick - 1;
    if (gap > 0) {
      write_run(writer, Run::kGap, 1);
      writer.number(gap);
    }
    const std::size_t length = length_of_run(track, expectation);
    const bool is_expected = track.front().value == expectation.value();
    write_run(writer, is_expected ? Run::kExpected : Run::kOther, length);
    for (const TrackPoint& point : track.first(length)) {
      if (!is_expected) collision::write(writer, difference(point.value, expectation.value()));
      expectation.see(point.value);
      tick = point.tick;
    }
    track = track.subspan(length);
  }
  writer.byte(static_cast<std::uint8_t>(Run::kEnd));
}

void read_track(base::ByteReader& reader, const TrackFrame& frame, std::vector<TrackPoint>& track) {
  track.clear();
  Expectation expectation(frame.origin);
  Tick tick = frame.start;
  while (true) {
    const std::uint8_t bits = reader.byte();
    const auto run = static_cast<Run>(bits & 3);
    const std::size_t length = (bits >> 2) + 1u;
    if (run == Run::kEnd) return;
    const Tick ticks = run == Run::kGap ? reader.number() : length;
    if (!reader.require(ticks <= frame.last - tick, "is a track beyond its end")) return;
    if (run == Run::kGap) tick += ticks;
    for (std::size_t i = 0; run != Run::kGap && i < length; ++i) {
      const Point off = run == Run::kOther ? collision::read_point(reader) : Point{};
      const Point value = sum(expectation.value(), off);
      expectation.see(value);
      track.push_back({++tick, value});
    }
  }
}

}  // namespace sweepd::match
