// SPDX-License-Identifier: MIT
#include "identity/principal.h"

#include <algorithm>
#include <utility>

namespace sweepd::identity {
namespace {

constexpr std::pair<PrincipalKind, std::string_view> kPrincipalNames[] = {
    {PrincipalKind::kOperator, "operator"},   {PrincipalKind::kBackend, "backend"},
    {PrincipalKind::kModerator, "moderator"}, {PrincipalKind::kStage, "stage"},
    {PrincipalKind::kPlayer, "player"},       {PrincipalKind::kObserver, "observer"},
    {PrincipalKind::kAnonymous, "anonymous"},
};

bool owns(const Principal& principal, std::string_view match_id, const Subject& creator) {
  if (principal.kind == PrincipalKind::kOperator)
    return principal.subject.name.empty() || principal.subject == creator;
  if (principal.kind == PrincipalKind::kAnonymous) return false;
  if (principal.match_id && *principal.match_id != match_id) return false;
  if (principal.subject.tenant != creator.tenant) return false;
  if (principal.kind == PrincipalKind::kModerator) return true;
  // Two issuers may share a tenant: neither speaks for the other's matches.
  if (principal.match_id) return creator.issuer.empty() || principal.subject.issuer == creator.issuer;
  return principal.kind == PrincipalKind::kBackend && principal.subject == creator;
}

}  // namespace

std::string_view name_of(PrincipalKind kind) {
  for (const auto& [known, name] : kPrincipalNames) {
    if (known == kind) return name;
  }
  return {};
}

std::optional<PrincipalKind> principal_named(std::string_view name) {
  for (const auto& [kind, known] : kPrincipalNames) {
    if (known == name && kind != PrincipalKind::kAnonymous) return kind;
  }
  return std::nullopt;
}

bool Principal::may_take(std::string_view seat_name) const {
  return seat_names.empty() || std::find(seat_names.begin(), seat_names.end(), seat_name) != seat_names.end();
}

bool is_participant(PrincipalKind kind) {
  return kind == PrincipalKind::kStage || kind == PrincipalKind::kPlayer || kind == PrincipalKind::kObserver;
}

MatchRelation relation_of(const Principal& principal, std::string_view match_id, const Subject& creator) {
  return owns(principal, match_id, creator) ? MatchRelation::kOwn : MatchRelation::kOther;
}

}  // namespace sweepd::identity
