// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "replay/input.h"
#include "replay/move_tracks.h"
#include "sweepd/replay/v1/ticks.pb.h"

namespace sweepd::replay {

/// Turns consecutive ticks into bytes, not compressed yet, that can be read without any others.
class TickEncoder {
 public:
  /// `record`: of the tick after the last one added, of a match that has not ended.
  /// How many moves it has.
  std::size_t add(const TickRecord& record);

  std::size_t tick_count() const { return message_.digests().size() / 8; }
  Tick first_tick() const { return message_.first_tick(); }
  /// About what `take` will give.
  std::size_t byte_count() const;

  /// The bytes of all ticks since the last take, at least one.
  std::string take();

 private:
  std::size_t add_frame(Tick tick, const Submission& submission);
  void add_moves(ParticipantNumber number, const match::Frame& frame);

  v1::Ticks message_;
  MoveTracks tracks_;
  std::size_t change_bytes_ = 0;
};

}  // namespace sweepd::replay
