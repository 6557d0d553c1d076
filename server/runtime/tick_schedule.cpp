// SPDX-License-Identifier: MIT
#include "runtime/tick_schedule.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::runtime {

void TickSchedule::add(Ticking& ticking, std::uint32_t tick_rate_hz, TimePoint now) {
  SWEEPD_ASSERT(tick_rate_hz > 0);
  const std::chrono::nanoseconds interval(1'000'000'000 / tick_rate_hz);
  // Phases are places in wall time, not distances from now: matches created at once spread, too.
  const auto into_interval = now.time_since_epoch() % interval;
  const TimePoint anchor = now - into_interval + interval * next_phase_ / kPhases;
  next_phase_ = (next_phase_ + 7) % kPhases;  // 7 is coprime to 16: neighbours come far apart.
  entries_.push_back({&ticking, tick_rate_hz, std::max(anchor, now)});
  next_due_ = std::min(next_due_, entries_.back().due());
}

void TickSchedule::remove(const Ticking& ticking) {
  for (Entry& entry : entries_) {
    if (entry.ticking == &ticking) entry.ticking = nullptr;
  }
  if (!walking_) sweep_removed();
}

void TickSchedule::run_due(TimePoint now) {
  if (now < next_due_) return;
  walking_ = true;
  // By index: a tick may add entries, which moves the vector; those are not due yet.
  for (std::size_t index = 0, count = entries_.size(); index < count; ++index) run_entry(index, now);
  walking_ = false;
  sweep_removed();
}

void TickSchedule::run_entry(std::size_t index, TimePoint now) {
  for (std::uint32_t run = 0; run < kCatchUpTicksMax; ++run) {
    if (entries_[index].ticking == nullptr || entries_[index].due() > now) return;
    ++entries_[index].ticks;
    entries_[index].ticking->run_tick();
  }
  Entry& entry = entries_[index];
  if (entry.ticking == nullptr || entry.due() > now) return;
  entry.anchor = now;
  entry.ticks = 0;
}

void TickSchedule::sweep_removed() {
  std::erase_if(entries_, [](const Entry& entry) { return entry.ticking == nullptr; });
  next_due_ = TimePoint::max();
  for (const Entry& entry : entries_) next_due_ = std::min(next_due_, entry.due());
}

std::size_t TickSchedule::size() const { return entries_.size(); }

}  // namespace sweepd::runtime
