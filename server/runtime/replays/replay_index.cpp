// SPDX-License-Identifier: MIT
#include "runtime/replays/replay_index.h"

#include <algorithm>

namespace sweepd::runtime {

namespace {

/// Of the shares of a key and of its tenant.
void add_to(auto& share, const ReplayIndex::Place& place, std::uint64_t bytes) {
  share.by_age.insert(place);
  share.bytes += bytes;
}

/// False: it has nothing left.
bool take_from(auto& share, const ReplayIndex::Place& place, std::uint64_t bytes) {
  share.by_age.erase(place);
  share.bytes -= bytes;
  return !share.by_age.empty();
}

}  // namespace

ReplayIndex::Share* ReplayIndex::tenant_of(const BudgetKey& key) {
  const std::string_view tenant = tenant_in(key);
  return tenant.empty() ? nullptr : &tenants_[std::string(tenant)];
}

void ReplayIndex::put(const MatchId& id, const StoredReplay& replay) {
  erase(id);
  const Place place(replay.ended_at, id);
  by_id_.emplace(id, replay);
  if (replay.is_held) {
    held_bytes_ += replay.size_bytes;
    return;
  }
  by_age_.insert(place);
  bytes_ += replay.size_bytes;
  add_to(shares_[replay.budget_key], place, replay.size_bytes);
  if (Share* const tenant = tenant_of(replay.budget_key)) add_to(*tenant, place, replay.size_bytes);
}

void ReplayIndex::erase(const MatchId& id) {
  const auto entry = by_id_.find(id);
  if (entry == by_id_.end()) return;
  const StoredReplay& replay = entry->second;
  if (replay.is_held) {
    held_bytes_ -= replay.size_bytes;
    by_id_.erase(entry);
    return;
  }
  const Place place(replay.ended_at, id);
  bytes_ -= replay.size_bytes;
  by_age_.erase(place);
  const auto share = shares_.find(replay.budget_key);
  if (!take_from(share->second, place, replay.size_bytes)) shares_.erase(share);
  const auto tenant = tenants_.find(tenant_in(replay.budget_key));
  if (tenant != tenants_.end() && !take_from(tenant->second, place, replay.size_bytes))
    tenants_.erase(tenant);
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

const ReplayIndex::Place* ReplayIndex::oldest_of(const Share& share, const std::set<Place>& except) {
  const auto oldest = std::ranges::find_if(share.by_age, [&](const Place& p) { return !except.contains(p); });
  return oldest == share.by_age.end() ? nullptr : &*oldest;
}

std::uint64_t ReplayIndex::bytes_of_group(const BudgetKey& key, const Share& share) const {
  const auto tenant = tenants_.find(tenant_in(key));
  return tenant == tenants_.end() ? share.bytes : tenant->second.bytes;
}

const ReplayIndex::Place* ReplayIndex::next_to_make_room(const std::set<Place>& except) const {
  const Place* next = nullptr;
  std::pair<std::uint64_t, std::uint64_t> most;
  for (const auto& [key, share] : shares_) {
    const std::pair<std::uint64_t, std::uint64_t> bytes(bytes_of_group(key, share), share.bytes);
    if (next != nullptr && bytes <= most) continue;
    const Place* const oldest = oldest_of(share, except);
    if (oldest == nullptr) continue;
    next = oldest;
    most = bytes;
  }
  return next;
}

const ReplayIndex::Place* ReplayIndex::next_over(const ByKind<std::uint64_t>& bytes_max,
                                                 const std::set<Place>& except) const {
  const auto find = [&](const Share& share, KeyKind kind) -> const Place* {
    const bool is_over = bytes_max[kind] != 0 && share.bytes > bytes_max[kind];
    return is_over ? oldest_of(share, except) : nullptr;
  };
  for (const auto& [key, share] : shares_) {
    const bool is_subject = key.text().find(kKeySeparator) != std::string::npos;
    const Place* const place = find(share, is_subject ? KeyKind::kBackend : KeyKind::kAddress);
    if (place != nullptr) return place;
  }
  for (const auto& [name, share] : tenants_) {
    if (const Place* const place = find(share, KeyKind::kTenant)) return place;
  }
  return nullptr;
}

}  // namespace sweepd::runtime
