// SPDX-License-Identifier: MIT
#include "runtime/match/match_registry.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {

MatchRegistry::MatchRegistry(std::size_t loops, std::size_t matches_max)
    : matches_max_(matches_max),
      matches_by_loop_(loops),
      new_matches_by_loop_(loops),
      windows_by_loop_(loops),
      estimates_(loops) {
  SWEEPD_ASSERT(loops > 0);
}

std::optional<MatchPlace> MatchRegistry::add(std::span<const LoadReading> loads, double estimate,
                                             Budgets::Share share) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= matches_max_) return std::nullopt;
  MatchPlace place = put(random_match_id(), loads, std::move(share));
  if (!loads.empty() && estimate > 0) estimates_.add(place.loop, estimate, loads[place.loop]);
  return place;
}

std::vector<LoadReading> MatchRegistry::with_estimates(std::vector<LoadReading> loads,
                                                       const LoadLimits& limits) {
  if (limits.busy_percent_max >= 100) return loads;
  const std::lock_guard lock(mutex_);
  const std::vector<LoopView> views = estimates_.view(loads);
  for (std::size_t loop = 0; loop < loads.size(); ++loop) {
    if (views[loop].arrived_ratio == 0) continue;
    loads[loop].busy_ratio = std::min(views[loop].busy_ratio(), 1.0);
    loads[loop].is_overloaded |= loads[loop].busy_ratio * 100 > limits.busy_percent_max;
  }
  return loads;
}

MatchPlace MatchRegistry::add(const MatchId& id, Budgets::Share share) {
  const std::lock_guard lock(mutex_);
  return put(id, {}, std::move(share));
}

MatchPlace MatchRegistry::put(const MatchId& id, std::span<const LoadReading> loads, Budgets::Share share) {
  const std::vector<LoadReading> unknown(loads.empty() ? matches_by_loop_.size() : 0);
  if (loads.empty()) loads = unknown;
  forget_measured_matches(loads);
  MatchPlace place{id, least_loaded(loads, matches_by_loop_, new_matches_by_loop_)};
  const bool is_new = entries_.emplace(place.id, Entry{place.loop, std::move(share)}).second;
  SWEEPD_ASSERT(is_new);  // 80 random bits.
  ++matches_by_loop_[place.loop];
  ++new_matches_by_loop_[place.loop];
  return place;
}

void MatchRegistry::forget_measured_matches(std::span<const LoadReading> loads) {
  for (std::size_t loop = 0; loop < loads.size(); ++loop) {
    // Another caller with newer readings may have come first.
    if (loads[loop].windows <= windows_by_loop_[loop]) continue;
    windows_by_loop_[loop] = loads[loop].windows;
    new_matches_by_loop_[loop] = 0;
  }
}

void MatchRegistry::remove(const MatchId& id) {
  const std::lock_guard lock(mutex_);
  const auto it = entries_.find(id);
  SWEEPD_ASSERT(it != entries_.end());
  --matches_by_loop_[it->second.loop];
  entries_.erase(it);
}

void MatchRegistry::move(const MatchId& id, std::size_t loop) {
  const std::lock_guard lock(mutex_);
  std::size_t& place = entries_.at(id).loop;
  --matches_by_loop_[place];
  ++matches_by_loop_.at(loop);
  ++new_matches_by_loop_[loop];
  place = loop;
}

std::optional<std::size_t> MatchRegistry::find(const MatchId& id) const {
  const std::lock_guard lock(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return std::nullopt;
  return it->second.loop;
}

std::vector<MatchPlace> MatchRegistry::list(const MatchId& after, std::size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<MatchPlace> places;
  for (auto it = entries_.upper_bound(after); it != entries_.end() && places.size() < limit; ++it) {
    places.push_back({it->first, it->second.loop});
  }
  return places;
}

std::size_t MatchRegistry::size() const {
  const std::scoped_lock lock(mutex_);
  return entries_.size();
}

}  // namespace sweepd::runtime
