// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "match/role.h"
#include "runtime/match/match_host.h"
#include "session/match_codec.h"

namespace sweepd::session {

/// What a match was like when it ended, for later GetMatch calls: counters of its participants, scores, the
/// reason. In memory only: a restart forgets it; what has to be kept is in the replay. Where there is no room
/// for a further one, the creator with the most loses its oldest. Thread-safe.
class EndedMatches {
 public:
  static constexpr std::size_t kMatchesMax = 512;
  static constexpr std::size_t kBytesMax = std::size_t{16} << 20;

  struct Ended {
    std::string match;  ///< A v1::Match, serialized.
    runtime::BudgetKey creator;
    match::RoleSet secret_roles;                         ///< See Permissions.
    std::map<std::uint32_t, runtime::BudgetKey> owners;  ///< Of seats, by participant.
  };

  void add(const runtime::MatchHost& host, const Endpoint& endpoint);
  void add(const runtime::MatchId& id, Ended ended);
  /// Null: it never was, or is forgotten.
  std::shared_ptr<const Ended> find(const runtime::MatchId& id) const;

  std::size_t size() const;

 private:
  struct Row {
    std::shared_ptr<const Ended> ended;
    std::list<runtime::MatchId>::iterator place;  ///< Among those of its creator.
  };
  struct Creator {
    std::list<runtime::MatchId> matches;  ///< The oldest first.
    std::size_t bytes = 0;
  };
  void remove(const runtime::MatchId& id);
  void make_room();

  mutable std::mutex mutex_;
  std::map<runtime::MatchId, Row> rows_;
  std::map<runtime::BudgetKey, Creator> creators_;
  std::size_t bytes_ = 0;
};

}  // namespace sweepd::session
