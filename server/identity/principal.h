// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepd::identity {

/// Kinds of callers in the table of rights.
enum class PrincipalKind { kOperator, kBackend, kModerator, kStage, kPlayer, kObserver, kAnonymous };

inline constexpr std::array<PrincipalKind, 7> kPrincipalKinds = {
    PrincipalKind::kOperator, PrincipalKind::kBackend,  PrincipalKind::kModerator, PrincipalKind::kStage,
    PrincipalKind::kPlayer,   PrincipalKind::kObserver, PrincipalKind::kAnonymous};

std::string_view name_of(PrincipalKind kind);
/// By its name in a ticket's `role`. "anonymous" is no role.
std::optional<PrincipalKind> principal_named(std::string_view name);
/// Stage, player and observer: kinds that take a seat in a match.
bool is_participant(PrincipalKind kind);

/// Identity of a caller, and of the creator of a match. Names are unique within issuer and tenant.
struct Subject {
  std::string issuer = {};
  std::string tenant = {};
  std::string name = {};
  friend bool operator==(const Subject&, const Subject&) = default;
};

/// An authenticated caller; a default one is anonymous.
struct Principal {
  PrincipalKind kind = PrincipalKind::kAnonymous;
  Subject subject = {};
  std::optional<std::string> match_id = {};  ///< Its only match; nothing: no such bound.
  bool may_create = false;                   ///< May create matches.
  std::vector<std::string> seat_names = {};  ///< Its seats; empty: any one of its role.

  /// Whether it may take the seat of that name.
  bool may_take(std::string_view seat_name) const;
  /// How many seats a participant may hold in its match at once.
  std::size_t seats_max() const { return std::max<std::size_t>(seat_names.size(), 1); }
  bool is_at_admin_listener = false;         ///< An operator that has come by that listener.
};

enum class MatchRelation { kOwn, kOther };

/// Relation of a caller to a match that `creator` created. An operator owns those that it created; without
/// tickets every match is every caller's own. Any other caller owns matches of its tenant only: the one that
/// its ticket names, or, if it names none, a moderator all and a backend those that it created.
MatchRelation relation_of(const Principal& principal, std::string_view match_id, const Subject& creator);

}  // namespace sweepd::identity
