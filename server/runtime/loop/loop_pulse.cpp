// SPDX-License-Identifier: MIT
#include "runtime/loop/loop_pulse.h"

#include <algorithm>

namespace sweepd::runtime {

void LoopPulse::beat(TimePoint now, TimePoint due) {
  const Ticks ticks = now.time_since_epoch().count();
  const Ticks last = last_.load(std::memory_order_relaxed);
  if (last != kNotRunning) note_gap(ticks - last, ticks);
  due_.store(due.time_since_epoch().count(), std::memory_order_relaxed);
  last_.store(ticks, std::memory_order_release);
}

void LoopPulse::note_gap(Ticks gap, Ticks now) {
  if (now - window_begin_ >= kWindow.count()) {
    longest_before_.store(longest_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    longest_.store(0, std::memory_order_relaxed);
    window_begin_ = now;
  }
  if (gap > longest_.load(std::memory_order_relaxed)) longest_.store(gap, std::memory_order_relaxed);
  if (gap < kStall.count()) return;
  last_stall_.store(gap, std::memory_order_relaxed);
  stalls_.fetch_add(1, std::memory_order_relaxed);
}

Duration LoopPulse::age(TimePoint now) const {
  const Ticks last = last_.load(std::memory_order_relaxed);
  if (last == kNotRunning) return Duration::zero();
  return std::max(Duration::zero(), now.time_since_epoch() - Duration(last));
}

Duration LoopPulse::overdue(TimePoint now) const {
  const Ticks due = due_.load(std::memory_order_relaxed);
  return std::max(Duration::zero(), Duration(now.time_since_epoch().count() - due));
}

Duration LoopPulse::longest_gap(TimePoint now) const {
  return std::max({Duration(longest_.load(std::memory_order_relaxed)),
                   Duration(longest_before_.load(std::memory_order_relaxed)), age(now)});
}

}  // namespace sweepd::runtime
