// SPDX-License-Identifier: MIT
#include "match/claims/claim_judge.h"

#include <algorithm>

#include "base/assert.h"
#include "collision/shapes/margin.h"

namespace sweepd::match {

using collision::Part;
using collision::Shape;

namespace {

collision::Way way_of(const History::Way& way) {
  const collision::Point end = way.object.course.position;
  return {std::int64_t{end.x} - way.begin.x, std::int64_t{end.y} - way.begin.y};
}

LifeName name_of(const History::Way& way) { return {way.object.id, way.life->born}; }

bool has_part(const PastObject& object, std::optional<std::uint32_t> part) {
  return !part || *part < object.parts.size();
}

bool is_asked_for(std::optional<std::uint32_t> part, std::size_t index) { return !part || *part == index; }

}  // namespace

/// A claim, and what is found out about it.
struct ClaimJudge::Case {
  const HitClaim& claim;
  Tick tick = 0;  ///< Judged.
  bool is_in_present = false;
  History::Way shot;
  History::Way target;
  std::optional<ClaimEvidence> evidence;
};

ClaimVerdict ClaimJudge::judge(const Claimant& claimant, const HitClaim& claim) const {
  Case judged{.claim = claim, .tick = claim.tick_seen, .shot = {}, .target = {}, .evidence = {}};
  ClaimVerdict verdict{.claimant = claimant.number, .claim = claim, .evidence = {}};
  const auto settle = [&](Verdict found) {
    verdict.verdict = found;
    verdict.evidence = judged.evidence;
    return verdict;
  };
  if (const auto found = check_tick(claimant, judged)) return settle(*found);
  verdict.tick_judged = judged.tick;
  if (const auto found = check_objects(claimant, judged)) return settle(*found);
  return settle(check_contact(judged));
}

std::optional<Verdict> ClaimJudge::check_tick(const Claimant& claimant, Case& judged) const {
  const History& history = state_.history;
  const LifeTable::Life* target = history.find_living(judged.claim.target);
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
  if (!claimant.delay_ticks) return std::nullopt;
  const Tick plausible = Tick{*claimant.delay_ticks} + rules_.delay_allowance_ticks;
  if (tick + plausible < claimant.arrival_tick) return Verdict::kImplausibleView;
  return std::nullopt;
}

std::optional<Verdict> ClaimJudge::check_objects(const Claimant& claimant, Case& judged) const {
  const HitClaim& claim = judged.claim;
  const auto shot = state_.history.find_way(claim.shot, judged.tick);
  if (!shot || !has_part(shot->object, claim.shot_part)) return Verdict::kUnknownObject;
  if (shot->object.owner != claimant.number) return Verdict::kNotOwner;
  const auto target = state_.history.find_way(claim.target, judged.tick);
  const LifeTable::Life* living = state_.history.find_living(claim.target);
  // The one that is there now, and not another that had its id.
  if (!target || target->life != living) return Verdict::kUnknownObject;
  if (!has_part(target->object, claim.target_part)) return Verdict::kUnknownObject;
  if (judged.tick < shot->life->teleported || judged.tick < target->life->teleported) return Verdict::kTooOld;
  judged.shot = *shot;
  judged.target = *target;
  return std::nullopt;
}

Verdict ClaimJudge::check_contact(Case& judged) const {
  const auto& [claim, tick, is_in_present, shot, target, evidence] = judged;
  if (claim.shot == claim.target) return Verdict::kLayersDoNotCollide;
  measure(judged);
  if (!evidence) return Verdict::kLayersDoNotCollide;
  if (shot.object.is_disabled || target.object.is_disabled || evidence->margin > claim.tolerance) {
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

/// The least margin of all parts in question, and whose it is.
void ClaimJudge::measure(Case& judged) const {
  const auto& [claim, tick, is_in_present, shot, target, evidence] = judged;
  const auto place_at = [this](const Part& part, collision::Point at) {
    return place(part, at, state_.masks);
  };
  for (std::size_t i = 0; i < shot.object.parts.size(); ++i) {
    const Part& a = shot.object.parts[i];
    if (!is_asked_for(claim.shot_part, i)) continue;
    for (std::size_t j = 0; j < target.object.parts.size(); ++j) {
      const Part& b = target.object.parts[j];
      if (!is_asked_for(claim.target_part, j) || !state_.matrix.allows(a.layer, b.layer)) continue;
      const std::int64_t margin =
          collision::margin(place_at(a, shot.begin), way_of(shot), place_at(b, target.begin), way_of(target));
      if (evidence && evidence->margin <= margin) continue;
      judged.evidence = ClaimEvidence{.margin = margin,
                                      .shot_part = static_cast<std::uint8_t>(i),
                                      .target_part = static_cast<std::uint8_t>(j),
                                      .shot_layer = a.layer,
                                      .target_layer = b.layer,
                                      .shot_box = placed(a.box, shot.object.course.position),
                                      .target_box = placed(b.box, target.object.course.position)};
    }
  }
}

}  // namespace sweepd::match
