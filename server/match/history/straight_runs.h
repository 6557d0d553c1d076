// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "match/history/tick_column.h"
#include "match/history/trajectory.h"

namespace sweepd::match {

/// The low half of a tick. What lies less than 2^32 ticks back can be told by it, and nothing that moves
/// stays within the range of coordinates for as long without a change.
using TickBits = std::uint32_t;

/// Which lives frames move straight on, tick by tick by the same step, so that their positions need not be
/// written down. A run begins with two positions that are written, of two ticks that follow each other: from
/// there on each tick goes on by their difference, until another position is written, or a stop.
class StraightRuns {
 public:
  /// What the run of a life, if any, is at the end of the oldest tick that is known.
  struct Base {
    bool is_running = false;
    bool is_written = false;     ///< The position of that very tick was.
    collision::Point step = {};  ///< If it is running.
  };

  /// The life has none so far.
  void begin(LifetimeIndex life);

  /// A frame has put it there in `tick`. Whether that has to be written.
  bool place(LifetimeIndex life, TickBits tick, collision::Point position) {
    const std::uint32_t row = row_of(life);
    if (row == kNone) [[unlikely]]
      return place_first(life, tick, position);
    Run& run = runs_[row];
    if (!run.is_running || position != sum(run.last, run.step)) return place_anew(run, tick, position);
    run.last = position;
    run.last_tick = tick;
    run.is_written = false;
    ++placed_;
    return false;
  }

  /// `tick` is over. Calls stop(life) for all that were not placed in it, and would have been straight on.
  template <typename Stop>
  void finish_tick(TickBits tick, const Stop& stop) {
    if (placed_ != running_) {
      for (LifetimeIndex life = 0; life < row_by_life_.size(); ++life) {
        if (row_by_life_[life] != kNone && stop_unless_placed(runs_[row_by_life_[life]], tick)) stop(life);
      }
    }
    running_ = next_running_;
    placed_ = 0;
  }

  /// The same for one life alone, whose ticks are told one after the other: it is placed next in `tick`, or
  /// not before. Whether it stops in the tick after its last.
  bool stops_before(LifetimeIndex life, TickBits tick);

  Base base(LifetimeIndex life) const {
    const std::uint32_t row = row_of(life);
    return row == kNone ? Base{} : runs_[row].base;
  }
  void set_base(LifetimeIndex life, const Base& base) {
    const std::uint32_t row = row_of(life);
    if (row != kNone) runs_[row].base = base;
  }

  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Run {
    collision::Point last = {};  ///< Where it was placed last,
    collision::Point step =
        {};  ///< and how far from there it is expected to be placed next, if it is running.
    TickBits last_tick = 0;
    bool is_running = false;
    bool is_written = false;  ///< The last position was.
    Base base = {};
  };

  std::uint32_t row_of(LifetimeIndex life) const {
    return life < row_by_life_.size() ? row_by_life_[life] : kNone;
  }
  bool place_first(LifetimeIndex life, TickBits tick, collision::Point position);
  bool place_anew(Run& run, TickBits tick, collision::Point position);
  bool stop_unless_placed(Run& run, TickBits tick);

  std::vector<std::uint32_t> row_by_life_;  // In `runs_`; as long as any life that was placed needed.
  std::vector<Run> runs_;
  std::vector<std::uint32_t> free_runs_;
  std::size_t running_ = 0;       // At the beginning of the tick in progress,
  std::size_t placed_ = 0;        // how many of those have been placed in it,
  std::size_t next_running_ = 0;  // and how many are running now.
};

}  // namespace sweepd::match
