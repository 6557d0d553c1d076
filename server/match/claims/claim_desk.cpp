// SPDX-License-Identifier: MIT
#include "match/claims/claim_desk.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/assert.h"
#include "match/world_config.h"

namespace sweepd::match {
namespace {

constexpr std::uint64_t kEveryLayer = ~std::uint64_t{0};

}  // namespace

ClaimDesk::ClaimDesk(const FrameApplierState& state, const MatchConfig& config, const History* history)
    : state_(state),
      config_(config),
      history_(history),
      matrix_(matrix_of(config, [](const CollidingLayers& pair) { return !pair.sensor; })),
      by_claims_(matrix_of(config, &CollidingLayers::by_claims)),
      tolerances_(claim_tolerances_of(config)) {
  for (const RoleLimits& limits : config.limits) {
    if (limits.role == Role::kPlayer && limits.spawn_layers) {
      player_layers_ = layer_set_of(config, *limits.spawn_layers);
    }
  }
  for (const ObjectTemplate& kind : config.templates)
    claim_layers_.push_back(kind.claim_layers ? layer_set_of(config, *kind.claim_layers) : kEveryLayer);
}

/// Of a player that acts as the stage, too, only what is its own as a player.
bool ClaimDesk::is_dodgers(ParticipantNumber owner, ObjectId object) const {
  const Seat* seat = state_.seats.find(owner);
  if (seat == nullptr || seat->participant.role != Role::kPlayer) return false;
  if (!seat->participant.acts_as_stage) return true;
  if (!player_layers_) return seat->participant.has_in_block(object);
  const auto view = state_.world.find(object);
  return view && std::ranges::any_of(view->parts, [this](const collision::Part& part) {
           return (*player_layers_ >> part.layer & 1) != 0;
         });
}

void ClaimDesk::note_delay(const Claimant& claimant) {
  const std::uint32_t rise_ticks = config_.claims.window_rise_ticks;
  if (rise_ticks == 0 || !claimant.delay_ticks) return;
  const auto [window, is_new] = windows_.try_emplace(claimant.number, claimant.arrival_tick);
  window->second.note(claimant.arrival_tick, *claimant.delay_ticks, rise_ticks);
}

/// With what of its delay counts. Of a participant of which no frame has told any, none does.
Claimant ClaimDesk::with_window(Claimant claimant) const {
  if (config_.claims.window_rise_ticks == 0 || !claimant.delay_ticks) return claimant;
  const auto window = windows_.find(claimant.number);
  claimant.window_ticks = window == windows_.end() ? 0 : window->second.ticks();
  return claimant;
}

void ClaimDesk::apply(Sender sender, const Claimant& claimant, std::size_t index, const HitClaim& claim) {
  if (refuse_if_too_tolerant(sender, index, claim) || refuse_if_too_much(sender, index, claim)) return;
  judge(sender.participant, claimant, claim);
}

bool ClaimDesk::refuse_if_too_tolerant(Sender sender, std::size_t index, const HitClaim& claim) {
  const std::uint32_t most = config_.claims.tolerance_max;
  if (claim.tolerance <= most) return false;
  state_.refuse(sender, RejectionReason::kOutOfRange, claim.shot, [&] {
    return RefusalText{indexed_field("claims", index) + ".tolerance",
                       "the tolerance is " + std::to_string(claim.tolerance) + "; at most " +
                           std::to_string(most) + " is allowed (claims.tolerance_max)",
                       BrokenRule{"claims.tolerance_max", "", claim.tolerance, most}};
  });
  return true;
}

bool ClaimDesk::refuse_if_too_much(Sender sender, std::size_t index, const HitClaim& claim) {
  if (pairs_measured_[sender.number()] < kPairsMeasuredMax) return false;
  state_.refuse(sender, RejectionReason::kTooManyClaims, claim.shot, [&] {
    return RefusalText{indexed_field("claims", index),
                       "is not judged: the participant's claims of this tick have had " +
                           std::to_string(kPairsMeasuredMax) + " pairs of parts measured"};
  });
  return true;
}

void ClaimDesk::judge(Participant& participant, const Claimant& claimant, const HitClaim& claim) {
  ClaimVerdict verdict = judge(claimant, claim);
  ++participant.claims[static_cast<std::size_t>(verdict.verdict)];
  pairs_measured_[participant.number] += verdict.pairs_measured;
  if (verdict.verdict == Verdict::kConfirmed) {
    const auto shot = history_->find_way(claim.shot, verdict.tick_judged);
    const LifetimeTable::Lifetime* target = history_->find_living(claim.target);
    SWEEPD_ASSERT(shot && target != nullptr);
    ledger_.add({claim.shot, shot->life->born}, {claim.target, target->born});
    ledger_.clean(*history_);
    verdict.has_struck = config_.claims.policy == ClaimPolicy::kEnforce && strike(verdict, shot->life);
  }
  verdicts_.push_back(verdict);
}

/// Only what was judged may strike: not another that has the shot's id by now.
bool ClaimDesk::strike(const ClaimVerdict& verdict, const LifetimeTable::Lifetime* shot) {
  const HitClaim& claim = verdict.claim;
  const ClaimEvidence& evidence = *verdict.evidence;
  if (!by_claims_.allows(evidence.shot_layer, evidence.target_layer)) return false;
  const auto target = state_.world.find(claim.target);
  const bool is_there = state_.world.find(claim.shot) && history_->find_living(claim.shot) == shot;
  if (!is_there || !target || target->disabled_until != 0) return false;
  collision::EncounterKey key{claim.shot, claim.target, evidence.shot_layer, evidence.target_layer};
  if (claim.target < claim.shot) key = {key.object_b, key.object_a, key.layer_b, key.layer_a};
  state_.world.strike(key);
  return true;
}

ClaimVerdict ClaimDesk::judge(const Claimant& claimant, const HitClaim& claim) const {
  if (history_ == nullptr) {
    return {.claimant = claimant.number, .claim = claim, .verdict = Verdict::kTooOld, .evidence = {}};
  }
  const auto is_players_own = [this](ParticipantNumber owner, ObjectId object) {
    return is_dodgers(owner, object);
  };
  const ClaimJudge judge({*history_, ledger_, matrix_, state_.world.masks(), &tolerances_, claim_layers_},
                         config_.claims, is_players_own);
  return judge.judge(with_window(claimant), claim);
}

/// Of the strikes some may have come to nothing: one before them was faster.
void ClaimDesk::keep_what_counted() {
  std::vector<collision::EncounterKey> counted(state_.world.strikes().begin(), state_.world.strikes().end());
  std::ranges::sort(counted);
  for (ClaimVerdict& verdict : verdicts_) {
    if (!verdict.has_struck) continue;
    const std::pair<ObjectId, ObjectId> ids = std::minmax({verdict.claim.shot, verdict.claim.target});
    verdict.has_struck = std::ranges::binary_search(counted, ids, {}, [](const collision::EncounterKey& key) {
      return std::pair(key.object_a, key.object_b);
    });
  }
}

void ClaimDesk::save(base::ByteWriter& writer) const {
  const auto& [state, config, history, matrix, by_claims, tolerances, claim_layers, player_layers, ledger,
               windows, pairs_measured, verdicts, closed] = *this;
  SWEEPD_ASSERT(verdicts.empty() && pairs_measured.empty());
  ledger.save(writer);
  if (config.claims.window_rise_ticks == 0) return;
  writer.number(windows.size());
  for (const auto& [number, window] : windows) {
    writer.number(number);
    window.save(writer);
  }
}

void ClaimDesk::restore(base::ByteReader& reader) {
  ledger_.restore(reader);
  if (config_.claims.window_rise_ticks == 0) return;
  for (std::size_t i = reader.count(3); i > 0 && reader.ok(); --i) {
    const ParticipantNumber number = reader.number32();
    reader.require(windows_.empty() || windows_.rbegin()->first < number, "is a participant out of order");
    windows_[number].restore(reader);
  }
}

void ClaimDesk::close_tick() {
  keep_what_counted();
  std::swap(closed_, verdicts_);
  verdicts_.clear();
  pairs_measured_.clear();
}

}  // namespace sweepd::match
