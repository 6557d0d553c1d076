// SPDX-License-Identifier: MIT
#include "match/claims/claim_judge.h"

#include <algorithm>

#include "base/assert.h"
#include "match/claims/closest_parts.h"

namespace sweepd::match {

using collision::Part;

namespace {

collision::Way way_of(const History::Way& way) {
  const collision::Point end = way.object.trajectory.position;
  return {std::int64_t{end.x} - way.begin.x, std::int64_t{end.y} - way.begin.y};
}

LifeName name_of(const History::Way& way) { return {way.object.id, way.life->born}; }

bool has_part(const PastObject& object, std::optional<std::uint32_t> part) {
  return !part || *part < object.parts.size();
}

/// The part that is asked for, or all, on their way.
SweptParts swept(const History::Way& way, std::optional<std::uint32_t> part,
                 std::span<const collision::BitMask> masks) {
  const std::span<const Part> parts = way.object.parts;
  SweptParts swept{.parts = {}, .way = way_of(way)};
  swept.parts.reserve(part ? 1 : parts.size());
  for (std::size_t i = part.value_or(0); i < (part ? *part + 1 : parts.size()); ++i) {
    swept.parts.push_back({.index = static_cast<std::uint8_t>(i),
                           .layer = parts[i].layer,
                           .shape = place(parts[i], way.begin, masks)});
  }
  return swept;
}

/// Around the part, where its way ends.
collision::Box box_at_end(const History::Way& way, const SweptPart& part) {
  return placed(way.object.parts[part.index].box, way.object.trajectory.position);
}

}  // namespace

/// A claim, and what is found out about it.
struct ClaimJudge::Case {
  const HitClaim& claim;
  Tick tick = 0;  ///< Judged.
  bool is_in_present = false;
  History::Way shot;
  History::Way target;
  std::optional<ClaimEvidence> evidence;
  std::uint32_t pairs_measured = 0;
};

ClaimVerdict ClaimJudge::judge(const Claimant& claimant, const HitClaim& claim) const {
  Case judged{.claim = claim, .tick = claim.tick_seen, .shot = {}, .target = {}, .evidence = {}};
  ClaimVerdict verdict{.claimant = claimant.number, .claim = claim, .evidence = {}};
  verdict.delay_ticks = claimant.delay_ticks;
  verdict.window_ticks = window_of(claimant);
  const auto settle = [&](Verdict found) {
    verdict.verdict = found;
    verdict.evidence = judged.evidence;
    verdict.pairs_measured = judged.pairs_measured;
    verdict.tolerance = tolerance_of(judged);
    return verdict;
  };
  if (const auto found = check_tick(claimant, judged)) return settle(*found);
  verdict.tick_judged = judged.tick;
  if (const auto found = check_objects(claimant, judged)) return settle(*found);
  return settle(check_contact(judged));
}

std::optional<std::uint32_t> ClaimJudge::window_of(const Claimant& claimant) const {
  const auto counted = claimant.counted_ticks();
  if (!counted) return std::nullopt;
  constexpr std::uint64_t kMax = ~std::uint32_t{0};
  return static_cast<std::uint32_t>(std::min(kMax, std::uint64_t{*counted} + rules_.delay_allowance_ticks));
}

/// The least of what the claim asks for and what the closest two parts' layers allow; none against a player.
std::uint32_t ClaimJudge::tolerance_of(const Case& judged) const {
  if (judged.is_in_present) return 0;
  if (state_.tolerances == nullptr || !judged.evidence) return judged.claim.tolerance;
  const std::pair<collision::LayerId, collision::LayerId> layers =
      std::minmax({judged.evidence->shot_layer, judged.evidence->target_layer});
  const auto most = state_.tolerances->find(layers);
  if (most == state_.tolerances->end()) return judged.claim.tolerance;
  return std::min(judged.claim.tolerance, most->second);
}

std::optional<Verdict> ClaimJudge::check_tick(const Claimant& claimant, Case& judged) const {
  const History& history = state_.history;
  const LifetimeTable::Lifetime* target = history.find_living(judged.claim.target);
  if (target != nullptr) {
    const OwnerId owner = history.find(judged.claim.target, history.latest())->owner;
    judged.is_in_present = owner != claimant.number && is_players_own_(owner, judged.claim.target);
  }
  if (judged.is_in_present) {
    judged.tick = history.latest();
    return std::nullopt;
  }
  const Tick tick = judged.tick;
  if (tick > history.latest()) return Verdict::kInTheFuture;
  if (target == nullptr) return Verdict::kUnknownObject;
  if (!history.has(tick) || (tick > 1 && !history.has(tick - 1))) return Verdict::kTooOld;
  if (history.latest() - tick > rules_.rewind_ticks_max) return Verdict::kTooOld;
  const auto window = window_of(claimant);
  if (window && tick + *window < claimant.arrival_tick) return Verdict::kImplausibleView;
  return std::nullopt;
}

std::optional<Verdict> ClaimJudge::check_objects(const Claimant& claimant, Case& judged) const {
  const HitClaim& claim = judged.claim;
  const auto shot = state_.history.find_way(claim.shot, judged.tick);
  if (!shot || !has_part(shot->object, claim.shot_part)) return Verdict::kUnknownObject;
  if (shot->object.owner != claimant.number) return Verdict::kNotOwner;
  const auto target = state_.history.find_way(claim.target, judged.tick);
  const LifetimeTable::Lifetime* living = state_.history.find_living(claim.target);
  // The one that is there now, and not another that had its id.
  if (!target || target->life != living) return Verdict::kUnknownObject;
  if (!has_part(target->object, claim.target_part)) return Verdict::kUnknownObject;
  if (judged.tick < shot->teleported || judged.tick < target->teleported) return Verdict::kTooOld;
  judged.shot = *shot;
  judged.target = *target;
  return std::nullopt;
}

Verdict ClaimJudge::check_contact(Case& judged) const {
  const auto& [claim, tick, is_in_present, shot, target, evidence, pairs_measured] = judged;
  if (claim.shot == claim.target) return Verdict::kLayersDoNotCollide;
  measure(judged);
  if (!evidence) return Verdict::kLayersDoNotCollide;
  if (shot.object.is_disabled || target.object.is_disabled || evidence->margin > tolerance_of(judged)) {
    return Verdict::kNotOverlapping;
  }
  const std::uint32_t limit = shot.life->is_single_use ? 1 : rules_.hits_per_shot_max;
  const bool has_no_hit_left = limit > 0 && state_.ledger.hits_of(name_of(shot)) >= limit;
  const bool is_used_up = shot.life->is_single_use && shot.life->is_used_up;
  if (has_no_hit_left || is_used_up || state_.ledger.has(name_of(shot), name_of(target))) {
    return Verdict::kAlreadyClaimed;
  }
  return Verdict::kConfirmed;
}

std::uint64_t ClaimJudge::layers_for(const History::Way& shot) const {
  const bool is_bounded = shot.template_number != 0 && shot.template_number <= state_.claim_layers.size();
  return is_bounded ? state_.claim_layers[shot.template_number - 1] : ~std::uint64_t{0};
}

/// The least margin of all parts in question, and whose it is.
void ClaimJudge::measure(Case& judged) const {
  const auto& [claim, tick, is_in_present, shot, target, evidence, pairs_measured] = judged;
  const SweptParts shot_parts = swept(shot, claim.shot_part, state_.masks);
  SweptParts target_parts = swept(target, claim.target_part, state_.masks);
  std::erase_if(target_parts.parts, [layers = layers_for(shot)](const SweptPart& part) {
    return (layers >> part.layer & 1) == 0;
  });
  const auto closest = closest_parts(shot_parts, target_parts, state_.matrix);
  if (!closest) return;
  judged.pairs_measured = closest->measured;
  judged.evidence = ClaimEvidence{.margin = closest->margin,
                                  .shot_part = closest->a->index,
                                  .target_part = closest->b->index,
                                  .shot_layer = closest->a->layer,
                                  .target_layer = closest->b->layer,
                                  .shot_box = box_at_end(shot, *closest->a),
                                  .target_box = box_at_end(target, *closest->b)};
}

}  // namespace sweepd::match
