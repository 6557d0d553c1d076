// SPDX-License-Identifier: MIT
#include "runtime/feed/target_sight.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace sweepd::runtime {

bool TargetSight::sees(const match::ClaimVerdict& verdict) {
  const auto claimant = match_.find_participant(verdict.claimant);
  const bool sees_all = claimant && claimant->is_any_of({match::Role::kStage});
  if (sees_all || !rules_.hides_any(match::Role::kPlayer)) return true;
  const match::Tick tick = verdict.tick_judged == 0 ? match_.tick() : verdict.tick_judged;
  // Where the match ends in this tick, its past is not known any more.
  if (tick != match_.tick() && !match_.known_ticks().has(tick)) return false;
  const auto target = match_.find_object_at(verdict.claim.target, tick);
  return target && sees({verdict.claimant, tick}, *target);
}

bool TargetSight::sees(const Eyes& eyes, const match::PastObject& target) {
  if (target.owner == eyes.first) return true;
  const auto owner = match_.find_participant(target.owner);
  return std::ranges::all_of(target.parts, [&](const collision::Part& part) {
    return is_seen_by(eyes, {.owner = target.owner,
                             .owner_role = owner ? std::optional(owner->role) : std::nullopt,
                             .position = target.trajectory.position,
                             .layer = part.layer});
  });
}

/// By its anchors of today, as they were then: as questions are answered.
bool TargetSight::is_seen_by(const Eyes& eyes, const match::Sighted& part) {
  if (is_seen_without_distance(eyes, part)) return true;
  if (tests_left_ == 0) return false;
  const auto position_of = [&match = match_, tick = eyes.second](
                               match::ParticipantNumber own,
                               match::ObjectId anchor) -> std::optional<collision::Point> {
    const auto object = match.find_object_at(anchor, tick);
    if (!object || object->owner != own) return std::nullopt;
    return object->trajectory.position;
  };
  const auto most = std::min<std::uint64_t>(tests_left_, std::numeric_limits<std::uint32_t>::max() - 1);
  const auto lookout =
      lookouts_
          .try_emplace(eyes, match_, rules_, match::Role::kPlayer, match::seat_bit(eyes.first), position_of,
                       static_cast<std::uint32_t>(most))
          .first;
  match::Lookout& look = lookout->second;
  const std::uint64_t before = look.meter().left();
  const bool is_seen = look.seats_that_see(part) != 0;
  tests_left_ -= std::min(tests_left_, before - look.meter().left());
  return is_seen;
}

bool TargetSight::is_seen_without_distance(const Eyes& eyes, const match::Sighted& part) const {
  const auto nothing_is_near = [](match::TemplateNumber, collision::Point, std::uint32_t) {
    return match::SeatBits{0};
  };
  return rules_.seats_that_see(match::Role::kPlayer, match::seat_bit(eyes.first), part, nothing_is_near) != 0;
}

}  // namespace sweepd::runtime
