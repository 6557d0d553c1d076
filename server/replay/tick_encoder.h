// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "replay/move_tracks.h"
#include "replay/tick_record.h"
#include "sweepd/replay/v1/ticks.pb.h"

namespace sweepd::replay {

/// Turns consecutive ticks into bytes, not compressed yet, that can be read without any others.
class TickEncoder {
 public:
  /// What the match takes before `tick`, the one after the last that was closed, in order.
  void add(Tick tick, const SeatChange& change);
  void add(Tick tick, const Submission& submission);
  /// Takes back the last Away of a participant since the last tick; false: there is none.
  bool take_back_away(ParticipantNumber number);
  /// The tick has run. Not after one that ended the match.
  void close(Tick tick, std::uint64_t digest, bool ends_match);

  /// A tick as a whole. How many moves it has.
  std::size_t add(const TickRecord& record);

  std::size_t tick_count() const { return message_.digests().size() / 8; }
  Tick first_tick() const { return message_.first_tick(); }
  /// About what `take` will give.
  std::size_t byte_count() const;

  /// The bytes of all ticks since the last take, at least one.
  std::string take();

 private:
  void add_moves(ParticipantNumber number, const match::Frame& frame);

  /// An input's entry in the columns that all have.
  struct Entry {
    ParticipantNumber number = 0;
    std::uint8_t kind = 0;
  };

  v1::Ticks message_;
  std::vector<Entry> entries_;  ///< Since the last tick.
  MoveTracks tracks_;
  std::size_t change_bytes_ = 0;
};

}  // namespace sweepd::replay
