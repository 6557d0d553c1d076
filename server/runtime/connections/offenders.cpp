// SPDX-License-Identifier: MIT
#include "runtime/connections/offenders.h"

#include <algorithm>

namespace sweepd::runtime {

void Offenders::note(const BudgetKey& key, TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (records_.size() >= kKeysMax && !records_.contains(key)) forget_one(now);
  Record& record = records_.try_emplace(key, Record{.first = now, .last = now}).first->second;
  if (now - record.first > kMemory) record = {.first = now, .last = now};
  record.last = now;
  ++record.offences;
}

bool Offenders::is_kept_out(const BudgetKey& key, TimePoint now) const {
  const std::lock_guard lock(mutex_);
  const auto it = records_.find(key);
  if (it == records_.end()) return false;
  return it->second.offences >= kOffencesMax && now - it->second.last < kPenalty;
}

void Offenders::forget_one(TimePoint now) {
  std::erase_if(records_, [now](const auto& entry) { return now - entry.second.first > kMemory; });
  if (records_.size() < kKeysMax) return;
  records_.erase(
      std::ranges::min_element(records_, {}, [](const auto& entry) { return entry.second.first; }));
}

}  // namespace sweepd::runtime
