// SPDX-License-Identifier: MIT
#include "match/claims/claim_ledger.h"

#include <algorithm>

namespace sweepd::match {

void ClaimLedger::add(const LifeName& shot, const LifeName& target) {
  Hits& hits = hits_[shot];
  ++hits.count;
  if (hits.targets.insert(target).second) ++size_;
}

bool ClaimLedger::has(const LifeName& shot, const LifeName& target) const {
  const auto found = hits_.find(shot);
  return found != hits_.end() && found->second.targets.contains(target);
}

std::uint64_t ClaimLedger::hits_of(const LifeName& shot) const {
  const auto found = hits_.find(shot);
  return found == hits_.end() ? 0 : found->second.count;
}

void ClaimLedger::clean(const History& history) {
  if (size_ < size_to_clean_) return;
  const auto is_forgotten = [&](const LifeName& life) { return !history.knows(life.object, life.born); };
  std::erase_if(hits_, [&](const auto& entry) { return is_forgotten(entry.first); });
  size_ = 0;
  for (auto& [shot, hits] : hits_) {
    std::erase_if(hits.targets, is_forgotten);
    size_ += hits.targets.size();
  }
  size_to_clean_ = std::max<std::size_t>(1024, 2 * size_);
}

}  // namespace sweepd::match
