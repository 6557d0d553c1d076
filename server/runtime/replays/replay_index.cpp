// SPDX-License-Identifier: MIT
#include "runtime/replays/replay_index.h"

#include <algorithm>

namespace sweepd::runtime {

void ReplayIndex::put(const MatchId& id, const StoredReplay& replay) {
  erase(id);
  by_id_.emplace(id, replay);
  by_age_.emplace(replay.ended_at, id);
  bytes_ += replay.size_bytes;
  Share& share = shares_[replay.budget_key];
  share.by_age.emplace(replay.ended_at, id);
  share.bytes += replay.size_bytes;
}

void ReplayIndex::erase(const MatchId& id) {
  const auto entry = by_id_.find(id);
  if (entry == by_id_.end()) return;
  bytes_ -= entry->second.size_bytes;
  by_age_.erase({entry->second.ended_at, id});
  const auto share = shares_.find(entry->second.budget_key);
  share->second.by_age.erase({entry->second.ended_at, id});
  share->second.bytes -= entry->second.size_bytes;
  if (share->second.by_age.empty()) shares_.erase(share);
  by_id_.erase(entry);
}

const StoredReplay* ReplayIndex::find(const MatchId& id) const {
  const auto entry = by_id_.find(id);
  return entry == by_id_.end() ? nullptr : &entry->second;
}

const ReplayIndex::Place* ReplayIndex::oldest() const {
  return by_age_.empty() ? nullptr : &*by_age_.begin();
}

const ReplayIndex::Place* ReplayIndex::next_after(const Place& place) const {
  const auto next = by_age_.upper_bound(place);
  return next == by_age_.end() ? nullptr : &*next;
}

const ReplayIndex::Place* ReplayIndex::next_to_make_room(const std::set<Place>& except) const {
  const Place* next = nullptr;
  std::uint64_t most = 0;
  for (const auto& [key, share] : shares_) {
    if (next != nullptr && share.bytes <= most) continue;
    const auto oldest =
        std::ranges::find_if(share.by_age, [&](const Place& p) { return !except.contains(p); });
    if (oldest == share.by_age.end()) continue;
    next = &*oldest;
    most = share.bytes;
  }
  return next;
}

}  // namespace sweepd::runtime
