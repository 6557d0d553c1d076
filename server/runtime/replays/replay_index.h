// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "runtime/budgets/resource.h"
#include "runtime/match/match_id.h"

namespace sweepd::runtime {

/// Wall time, as files have it. Not finer, or a file's time could lie outside of what can be told.
using FileTime = std::chrono::sys_time<std::chrono::microseconds>;

struct StoredReplay {
  std::uint64_t size_bytes = 0;
  FileTime ended_at = {};
  BudgetKey budget_key = {};  ///< Of the match's creator.
  bool is_held = false;       ///< Nothing is to remove it.
};

/// Which replays there are, by id and by age, and how much they take. Those that are held are found by id
/// alone: nothing else here has them. Not thread-safe.
class ReplayIndex {
 public:
  /// Oldest first; of the same time, by id.
  using Place = std::pair<FileTime, MatchId>;

  /// Takes the place of one of the same id.
  void put(const MatchId& id, const StoredReplay& replay);
  void erase(const MatchId& id);

  /// Null: there is none.
  const StoredReplay* find(const MatchId& id) const;

  /// The oldest of all, or the next one after another; null: there is none.
  const Place* oldest() const;
  const Place* next_after(const Place& place) const;

  /// What is to make room next: of the tenant that has the most bytes, the oldest of the key that has the
  /// most, but for those in `except`. A key without a tenant stands for itself. So the one that keeps most
  /// makes room for others, and never the other way round. Null: there is none.
  const Place* next_to_make_room(const std::set<Place>& except) const;

  /// The oldest, but for those in `except`, of a key or a tenant that has more bytes than its kind may; null:
  /// none has. `bytes_max` 0: a kind may have any.
  const Place* next_over(const ByKind<std::uint64_t>& bytes_max, const std::set<Place>& except) const;

  std::size_t size() const { return by_id_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t held_bytes() const { return held_bytes_; }

 private:
  struct Share {
    std::set<Place> by_age = {};
    std::uint64_t bytes = 0;
  };

  static const Place* oldest_of(const Share& share, const std::set<Place>& except);
  /// Null: the key has no tenant.
  Share* tenant_of(const BudgetKey& key);
  std::uint64_t bytes_of_group(const BudgetKey& key, const Share& share) const;

  std::map<MatchId, StoredReplay> by_id_;
  std::set<Place> by_age_;
  std::map<BudgetKey, Share> shares_;
  std::map<std::string, Share, std::less<>> tenants_;
  std::uint64_t bytes_ = 0;
  std::uint64_t held_bytes_ = 0;
};

}  // namespace sweepd::runtime
