// SPDX-License-Identifier: MIT
#include "match/history/straight_runs.h"

#include "base/growth.h"

namespace sweepd::match {

void StraightRuns::begin(LifetimeIndex life) {
  if (life >= row_by_life_.size()) return;
  std::uint32_t& row = row_by_life_[life];
  if (row == kNone) return;
  if (runs_[row].is_running) --next_running_;
  free_runs_.push_back(row);
  row = kNone;
}

bool StraightRuns::place_first(LifetimeIndex life, TickBits tick, collision::Point position) {
  if (life >= row_by_life_.size()) {
    const std::size_t before = row_by_life_.size();
    base::grow_to(row_by_life_, life + 1);
    for (std::size_t i = before; i < row_by_life_.size(); ++i) row_by_life_[i] = kNone;
  }
  if (free_runs_.empty()) {
    free_runs_.push_back(static_cast<std::uint32_t>(runs_.size()));
    base::append_tightly(runs_);
  }
  row_by_life_[life] = free_runs_.back();
  free_runs_.pop_back();
  runs_[row_by_life_[life]] = {.last = position, .last_tick = tick, .is_written = true};
  return true;
}

bool StraightRuns::place_anew(Run& run, TickBits tick, collision::Point position) {
  if (run.is_running) {
    ++placed_;
    --next_running_;
  }
  run.is_running = run.is_written && run.last_tick == tick - 1;
  if (run.is_running) {
    run.step = difference(position, run.last);
    ++next_running_;
  }
  run.last = position;
  run.last_tick = tick;
  run.is_written = true;
  return true;
}

bool StraightRuns::stop_unless_placed(Run& run, TickBits tick) {
  if (!run.is_running || run.last_tick == tick) return false;
  run.is_running = false;
  --next_running_;
  return true;
}

bool StraightRuns::stops_before(LifetimeIndex life, TickBits tick) {
  const std::uint32_t row = row_of(life);
  return row != kNone && stop_unless_placed(runs_[row], tick - 1);
}

std::size_t StraightRuns::bytes() const {
  return row_by_life_.capacity() * sizeof(std::uint32_t) + runs_.capacity() * sizeof(Run);
}

}  // namespace sweepd::match
