// SPDX-License-Identifier: MIT
#include "runtime/match_registry.h"

#include "base/assert.h"

namespace sweepd::runtime {

MatchRegistry::MatchRegistry(std::size_t loops, std::size_t matches_max)
    : matches_max_(matches_max),
      matches_by_loop_(loops),
      new_matches_by_loop_(loops),
      windows_by_loop_(loops) {
  SWEEPD_ASSERT(loops > 0);
}

std::optional<MatchPlace> MatchRegistry::add(std::span<const LoadReading> loads) {
  const std::lock_guard lock(mutex_);
  if (loops_by_id_.size() >= matches_max_) return std::nullopt;
  return put(random_match_id(), loads);
}

MatchPlace MatchRegistry::add(const MatchId& id) {
  const std::lock_guard lock(mutex_);
  return put(id, {});
}

MatchPlace MatchRegistry::put(const MatchId& id, std::span<const LoadReading> loads) {
  const std::vector<LoadReading> unknown(loads.empty() ? matches_by_loop_.size() : 0);
  if (loads.empty()) loads = unknown;
  forget_measured_matches(loads);
  MatchPlace place{id, least_loaded(loads, matches_by_loop_, new_matches_by_loop_)};
  const bool is_new = loops_by_id_.emplace(place.id, place.loop).second;
  SWEEPD_ASSERT(is_new);  // 80 random bits.
  ++matches_by_loop_[place.loop];
  ++new_matches_by_loop_[place.loop];
  return place;
}

void MatchRegistry::forget_measured_matches(std::span<const LoadReading> loads) {
  for (std::size_t loop = 0; loop < loads.size(); ++loop) {
    // Whoever read them may have been overtaken by one whose readings are newer.
    if (loads[loop].windows <= windows_by_loop_[loop]) continue;
    windows_by_loop_[loop] = loads[loop].windows;
    new_matches_by_loop_[loop] = 0;
  }
}

void MatchRegistry::remove(const MatchId& id) {
  const std::lock_guard lock(mutex_);
  const auto it = loops_by_id_.find(id);
  SWEEPD_ASSERT(it != loops_by_id_.end());
  --matches_by_loop_[it->second];
  loops_by_id_.erase(it);
}

void MatchRegistry::move(const MatchId& id, std::size_t loop) {
  const std::lock_guard lock(mutex_);
  std::size_t& place = loops_by_id_.at(id);
  --matches_by_loop_[place];
  ++matches_by_loop_.at(loop);
  ++new_matches_by_loop_[loop];
  place = loop;
}

std::optional<std::size_t> MatchRegistry::find(const MatchId& id) const {
  const std::lock_guard lock(mutex_);
  const auto it = loops_by_id_.find(id);
  if (it == loops_by_id_.end()) return std::nullopt;
  return it->second;
}

std::vector<MatchPlace> MatchRegistry::list(const MatchId& after, std::size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<MatchPlace> places;
  for (auto it = loops_by_id_.upper_bound(after); it != loops_by_id_.end() && places.size() < limit; ++it) {
    places.push_back({it->first, it->second});
  }
  return places;
}

std::size_t MatchRegistry::size() const {
  const std::scoped_lock lock(mutex_);
  return loops_by_id_.size();
}

}  // namespace sweepd::runtime
