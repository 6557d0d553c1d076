// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "collision/layers.h"
#include "match/claims/claim_judge.h"
#include "match/claims/claim_window.h"
#include "match/config.h"
#include "match/frame.h"
#include "match/frame_applier_state.h"

namespace sweepd::match {

/// Per participant and tick: pairs of parts that its claims may have measured. From the first claim after
/// that on they are refused. A pair with a mask counts as 16. What the boxes tell is not measured: mostly one
/// is.
inline constexpr std::uint32_t kPairsMeasuredMax = 16'384;

/// Where claims come in: judges those of frames, remembers which shots have hit, and lets confirmed ones
/// strike where the match says so. They are judged against ticks that are over; what the frame itself changes
/// is not seen.
class ClaimDesk {
 public:
  /// All must outlive it. `history`: null where the match keeps none; then every claim is TOO_OLD.
  ClaimDesk(const FrameApplierState& state, const MatchConfig& config, const History* history);

  /// Judges a claim of a frame, whose changes have been made. `index`: its place there.
  void apply(Sender sender, const Claimant& claimant, std::size_t index, const HitClaim& claim);

  /// A frame tells its sender's delay: as of when it came in.
  void note_delay(const Claimant& claimant);

  /// Judges a claim and remembers nothing.
  ClaimVerdict judge(const Claimant& claimant, const HitClaim& claim) const;

  /// Begins the next tick: those of the last stay valid until the call after that.
  void close_tick();
  /// Its participant has left: the next one of the number begins anew.
  void forget(ParticipantNumber number) { windows_.erase(number); }
  /// Of the tick that was closed last; by participant, in their order.
  std::span<const ClaimVerdict> verdicts() const { return closed_; }

  /// Only between two ticks. Which shots have hit is remembered, and windows where they are bounded.
  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

 private:
  void judge(Participant& participant, const Claimant& claimant, const HitClaim& claim);
  bool refuse_if_too_much(Sender sender, std::size_t index, const HitClaim& claim);
  bool refuse_if_too_tolerant(Sender sender, std::size_t index, const HitClaim& claim);
  bool strike(const ClaimVerdict& verdict, const LifetimeTable::Lifetime* shot);
  void keep_what_counted();
  Claimant with_window(Claimant claimant) const;
  bool is_dodgers(ParticipantNumber owner, ObjectId object) const;

  FrameApplierState state_;
  const MatchConfig& config_;
  const History* history_;
  collision::CollisionMatrix matrix_;     // Without sensors.
  collision::CollisionMatrix by_claims_;  // A claim strikes.
  ClaimTolerances tolerances_;
  std::vector<std::uint64_t> claim_layers_;  // By template, from 1 on. Bit i: layer i.
  std::optional<std::uint64_t>
      player_layers_;  // Where players may spawn, if the config says so. Bit i: layer i.
  ClaimLedger ledger_;
  std::map<ParticipantNumber, ClaimWindow>
      windows_;  // With ClaimRules::window_rise_ticks; of participants with a seat.
  std::map<ParticipantNumber, std::uint32_t> pairs_measured_;  // In the tick in progress.
  std::vector<ClaimVerdict> verdicts_;
  std::vector<ClaimVerdict> closed_;
};

}  // namespace sweepd::match
