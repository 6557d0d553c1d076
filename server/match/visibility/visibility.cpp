// SPDX-License-Identifier: MIT
#include "match/visibility/visibility.h"

#include <algorithm>

namespace sweepd::match {

bool Viewer::owns(ParticipantNumber owner) const { return std::ranges::binary_search(seats, owner); }

Visibility::Visibility(const MatchConfig& config) : observer_delay_ticks_(config.observer_delay_ticks) {
  for (const VisibilityRule& rule : config.visibility) {
    const auto layer = std::ranges::find(config.layers, rule.layer) - config.layers.begin();
    const auto near = std::ranges::find(config.templates, rule.near, &ObjectTemplate::name);
    RoleRules& rules = roles_[static_cast<std::size_t>(rule.role)];
    rules.layers[static_cast<std::size_t>(layer)] = {
        .sees = rule.sees,
        .near = static_cast<TemplateNumber>(near - config.templates.begin()) + 1,
        .distance_max = rule.distance_max};
    rules.is_limited = rules.is_limited || rule.sees != Sight::kAll;
  }
}

Viewer viewer_of(const Match& match, const std::vector<ParticipantNumber>& numbers) {
  Viewer viewer{.sees_all = false, .role = Role::kObserver};
  for (const ParticipantNumber number : numbers) {
    const auto one = match.find_participant(number);
    if (!one) continue;
    if (one->is_any_of({Role::kStage})) viewer.sees_all = true;
    if (one->role == Role::kPlayer) viewer.seats.push_back(number);
  }
  if (!viewer.seats.empty()) viewer.role = Role::kPlayer;
  return viewer;
}

/// A hit that counts tells where its target was, and costs the shot; any other would tell it for nothing.
void Visibility::limit(const Viewer& viewer, ClaimVerdict& verdict) const {
  if (viewer.sees_all || !verdict.evidence || verdict.has_struck) return;
  if (!sees_all_of(viewer.role, verdict.evidence->target_layer)) verdict.evidence.reset();
}

ClaimVerdict of_unknown_target(const ClaimVerdict& verdict) {
  return {.claimant = verdict.claimant,
          .claim = verdict.claim,
          .verdict = Verdict::kUnknownObject,
          .evidence = {},
          .delay_ticks = verdict.delay_ticks,
          .window_ticks = verdict.window_ticks,
          .tolerance = verdict.claim.tolerance};
}

bool is_within(collision::Point a, collision::Point b, std::uint32_t distance_max) {
  const auto way = [](std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(from < to ? to - from : from - to);
  };
  const std::uint64_t x = way(a.x, b.x);
  const std::uint64_t y = way(a.y, b.y);
  // Past this, no square is beyond 64 bits.
  if (x > distance_max || y > distance_max) return false;
  return x * x + y * y <= std::uint64_t{distance_max} * distance_max;
}

}  // namespace sweepd::match
