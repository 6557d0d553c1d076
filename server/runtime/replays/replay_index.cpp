// SPDX-License-Identifier: MIT
#include "runtime/replays/replay_index.h"

namespace sweepd::runtime {

void ReplayIndex::put(const MatchId& id, const StoredReplay& replay) {
  erase(id);
  by_id_.emplace(id, replay);
  by_age_.emplace(replay.ended_at, id);
  bytes_ += replay.size_bytes;
}

void ReplayIndex::erase(const MatchId& id) {
  const auto entry = by_id_.find(id);
  if (entry == by_id_.end()) return;
  bytes_ -= entry->second.size_bytes;
  by_age_.erase({entry->second.ended_at, id});
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

}  // namespace sweepd::runtime
