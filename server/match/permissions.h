// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "match/field.h"
#include "match/role.h"

namespace sweepd::match {

/// What the bearers of tickets for a seat may do beside playing, by role. By default nothing: see the table
/// of rights. Without effect on the outcome.
struct Permissions {
  RoleSet query_roles = {};   ///< Ask where everything is and was.
  RoleSet watch_roles = {};   ///< Watch; observers may anyway, stages too.
  RoleSet replay_roles = {};  ///< Fetch the replay.
  RoleSet secret_roles = {};  ///< Be told the seed, and the counters of others.
  RoleSet end_roles = {};     ///< End the match.
  RoleSet step_roles = {};    ///< Step it, with a MANUAL clock.
  friend bool operator==(const Permissions&, const Permissions&) = default;
};

constexpr void for_each_field(std::type_identity<Permissions>, const auto& visit) {
  visit(SWEEPD_FIELD(Permissions, query_roles));
  visit(SWEEPD_FIELD(Permissions, watch_roles));
  visit(SWEEPD_FIELD(Permissions, replay_roles));
  visit(SWEEPD_FIELD(Permissions, secret_roles));
  visit(SWEEPD_FIELD(Permissions, end_roles));
  visit(SWEEPD_FIELD(Permissions, step_roles));
}

}  // namespace sweepd::match
