// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "collision/layers.h"
#include "collision/shapes/bit_mask.h"
#include "match/claims/claim.h"
#include "match/claims/claim_ledger.h"
#include "match/claims/claim_rules.h"
#include "match/history/history.h"
#include "match/world_config.h"

namespace sweepd::match {

/// Decides whether what is claimed can have happened. Changes nothing.
///
/// The tick judged is the one seen; but the last, whichever is named, where the target belongs to a player
/// other than the claimant: no player is rewound into a hit. What counts, in this order:
/// - IN_THE_FUTURE: it has not run yet. UNKNOWN_OBJECT: the target is not there now.
/// - TOO_OLD: further back than rewind_ticks_max or the history. IMPLAUSIBLE_VIEW: further back from the last
/// tick when
///   the claim came in than the measured delay (Claimant::counted_ticks) and delay_allowance_ticks.
/// - UNKNOWN_OBJECT: one of the two, or a part of it that is named, was not there then. NOT_OWNER: the shot
/// was not the
///   claimant's. TOO_OLD: before the last teleport of one of the two.
/// - LAYERS_DO_NOT_COLLIDE: none of the parts in question are on layers that do, or that the template which
/// the shot had then lets it hit by claims; no object meets itself.
/// - NOT_OVERLAPPING: one of the two was disabled, or the margin on their ways through that tick is above the
/// tolerance.
/// - ALREADY_CLAIMED: the shot has hit this target before, or as many targets as it may; or it was used up.
class ClaimJudge {
 public:
  struct State {
    const History& history;
    const ClaimLedger& ledger;
    const collision::CollisionMatrix& matrix;
    std::span<const collision::BitMask> masks;
    const ClaimTolerances* tolerances = nullptr;  ///< By layers; what is not there is as claimed.
    /// By template, from 1 on: on which layers it may hit by claims; of those that do not say it, all.
    std::span<const std::uint64_t> claim_layers = {};
  };
  /// Whether a player has the object, and not only because the stage was handed over to it.
  using IsPlayersOwn = std::function<bool(ParticipantNumber owner, ObjectId object)>;

  ClaimJudge(const State& state, const ClaimRules& rules, IsPlayersOwn is_players_own)
      : state_(state), rules_(rules), is_players_own_(std::move(is_players_own)) {}

  ClaimVerdict judge(const Claimant& claimant, const HitClaim& claim) const;

 private:
  struct Case;

  std::optional<Verdict> check_tick(const Claimant& claimant, Case& judged) const;
  std::optional<Verdict> check_objects(const Claimant& claimant, Case& judged) const;
  std::optional<std::uint32_t> window_of(const Claimant& claimant) const;
  std::uint32_t tolerance_of(const Case& judged) const;
  std::uint64_t layers_for(const History::Way& shot) const;
  Verdict check_contact(Case& judged) const;
  void measure(Case& judged) const;

  State state_;
  const ClaimRules& rules_;
  IsPlayersOwn is_players_own_;
};

}  // namespace sweepd::match
