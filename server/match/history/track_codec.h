// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/history/trajectory_tracks.h"

namespace sweepd::match {

/// The ticks that a track may have points in: after `start`, up to `last`. `origin`: the value at the start.
struct TrackFrame {
  Tick start = 0;
  Tick last = 0;
  collision::Point origin = {};
};

/// A track as bytes: what goes on as it went takes next to none. A byte stands for 64 points at most, and so
/// a track that is read back is no more than a thousand times as large as its bytes.
void write_track(base::ByteWriter& writer, std::span<const TrackPoint> track, const TrackFrame& frame);
/// Replaces `track`.
void read_track(base::ByteReader& reader, const TrackFrame& frame, std::vector<TrackPoint>& track);

}  // namespace sweepd::match
