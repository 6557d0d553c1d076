// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/clock.h"

namespace sweepd::runtime {

/// Something with a tick.
class Ticking {
 public:
  virtual ~Ticking() = default;
  virtual void run_tick() = 0;
};

/// When the ticks of a loop's matches are due. One walk over all of them replaces a timer each: a timer costs more than
/// a small match's tick. Matches are spread over kPhases groups of the tick interval, since all of them at one instant
/// would make each wait for the others.
/// After a stall a match catches up by at most kCatchUpTicksMax ticks at once; what is more is given up, so that
/// an overloaded server runs slower instead of ever later.
/// Not thread-safe. `run_tick` may add and remove, itself included.
class TickSchedule {
 public:
  static constexpr std::uint32_t kPhases = 16;
  static constexpr std::uint32_t kCatchUpTicksMax = 4;

  /// The first tick is due one to two intervals from now.
  void add(Ticking& ticking, std::uint32_t tick_rate_hz, TimePoint now);
  void remove(const Ticking& ticking);

  /// TimePoint::max() where nothing is scheduled.
  TimePoint next_due() const { return next_due_; }
  void run_due(TimePoint now);

  std::size_t size() const;

 private:
  struct Entry {
    Ticking* ticking;  // Null: removed during the walk.
    std::uint32_t tick_rate_hz;
    TimePoint anchor;        // Due times count from here, so that rounding does not add up.
    std::uint64_t ticks = 0;  // Ticks since the anchor that have run.

    TimePoint due() const {
      return anchor + std::chrono::nanoseconds((ticks + 1) * 1'000'000'000 / tick_rate_hz);
    }
  };

  void run_entry(std::size_t index, TimePoint now);
  void sweep_removed();

  std::vector<Entry> entries_;
  TimePoint next_due_ = TimePoint::max();
  std::uint32_t next_phase_ = 0;
  bool walking_ = false;
};

}  // namespace sweepd::runtime
