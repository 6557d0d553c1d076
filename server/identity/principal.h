// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sweepd::identity {

/// What callers are to the table of rights.
enum class PrincipalKind { kOperator, kBackend, kModerator, kStage, kPlayer, kObserver, kAnonymous };

inline constexpr std::array<PrincipalKind, 7> kPrincipalKinds = {
    PrincipalKind::kOperator, PrincipalKind::kBackend,  PrincipalKind::kModerator, PrincipalKind::kStage,
    PrincipalKind::kPlayer,   PrincipalKind::kObserver, PrincipalKind::kAnonymous};

std::string_view name_of(PrincipalKind kind);
/// As a ticket's `role` has it: no ticket makes its bearer anonymous.
std::optional<PrincipalKind> principal_named(std::string_view name);
/// Whether it takes a seat of its own name in a match: stage, player, observer.
bool is_participant(PrincipalKind kind);

/// Who a caller is, and who created a match. Tenants are the server's; within one, issuers name their own
/// subjects.
struct Subject {
  std::string issuer = {};
  std::string tenant = {};
  std::string name = {};
  friend bool operator==(const Subject&, const Subject&) = default;
};

/// A caller, by whatever means it has shown who it is.
struct Principal {
  PrincipalKind kind = PrincipalKind::kAnonymous;
  Subject subject = {};
  std::optional<std::string> match_id = {};  ///< The one match that it may touch; nothing: as its kind may.
  bool may_create = false;                   ///< Matches.
  std::string seat_name = {};                ///< The only one that it may take; empty: any of its role.
};

enum class MatchRelation { kOwn, kOther };

/// Of a match that `creator` created. Own are: to an operator all; to any other caller only matches of its
/// tenant, and of these the one that its ticket names; where that names none, to a moderator all, to a
/// backend those that it created.
MatchRelation relation_of(const Principal& principal, std::string_view match_id, const Subject& creator);

}  // namespace sweepd::identity
