// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "sweepd/types.h"
#include "tools/sweepctl/toml_reader.h"

/// What a match file calls the values of enumerations, in the order in which they are listed in errors.
namespace sweepd::tools {

template <typename Enum, std::size_t count>
using Words = std::array<Word<Enum>, count>;

constexpr Words<Role, 3> words_of(Role) {
  return {{{"player", Role::kPlayer}, {"stage", Role::kStage}, {"observer", Role::kObserver}}};
}
constexpr Words<ClockKind, 3> words_of(ClockKind) {
  return {{{"realtime", ClockKind::kRealtime},
           {"manual", ClockKind::kManual},
           {"lockstep", ClockKind::kLockstep}}};
}
constexpr Words<LateFramePolicy, 3> words_of(LateFramePolicy) {
  return {{{"apply_next", LateFramePolicy::kApplyNext},
           {"drop", LateFramePolicy::kDrop},
           {"spread", LateFramePolicy::kSpread}}};
}
constexpr Words<StartTimeout, 2> words_of(StartTimeout) {
  return {{{"start", StartTimeout::kStart}, {"end_match", StartTimeout::kEndMatch}}};
}
constexpr Words<StageHandover, 2> words_of(StageHandover) {
  return {{{"none", StageHandover::kNone}, {"lowest_number", StageHandover::kLowestNumber}}};
}
constexpr Words<BroadphaseKind, 4> words_of(BroadphaseKind) {
  return {{{"sweep_and_prune", BroadphaseKind::kSweepAndPrune},
           {"sector_grid", BroadphaseKind::kSectorGrid},
           {"approach", BroadphaseKind::kApproach},
           {"brute_force", BroadphaseKind::kBruteForce}}};
}
constexpr Words<SectorScheme, 4> words_of(SectorScheme) {
  return {{{"four_shifts", SectorScheme::kFourShifts},
           {"plain", SectorScheme::kPlain},
           {"horizontal_strips", SectorScheme::kHorizontalStrips},
           {"vertical_strips", SectorScheme::kVerticalStrips}}};
}
constexpr Words<Sight, 4> words_of(Sight) {
  return {{{"own", Sight::kOwn}, {"team", Sight::kTeam}, {"near", Sight::kNear}, {"all", Sight::kAll}}};
}
constexpr Words<ClaimPolicy, 3> words_of(ClaimPolicy) {
  return {
      {{"observe", ClaimPolicy::kObserve}, {"warn", ClaimPolicy::kWarn}, {"enforce", ClaimPolicy::kEnforce}}};
}
constexpr Words<ScoringMoment, 4> words_of(ScoringMoment) {
  return {{{"enter", ScoringMoment::kEnter},
           {"exit", ScoringMoment::kExit},
           {"destroyed", ScoringMoment::kDestroyed},
           {"contact", ScoringMoment::kContact}}};
}
constexpr Words<ScoringCredit, 2> words_of(ScoringCredit) {
  return {{{"owner_of_a", ScoringCredit::kOwnerOfA}, {"owner_of_b", ScoringCredit::kOwnerOfB}}};
}
/// All but the end of the match, by which nothing scores.
constexpr Words<ExitReason, 11> words_of(ExitReason) {
  return {{{"moved", ExitReason::kMoved},
           {"despawned", ExitReason::kDespawned},
           {"expired", ExitReason::kExpired},
           {"left_playfield", ExitReason::kLeftPlayfield},
           {"layer_changed", ExitReason::kLayerChanged},
           {"disabled", ExitReason::kDisabled},
           {"reshaped", ExitReason::kReshaped},
           {"owner_left", ExitReason::kOwnerLeft},
           {"swept", ExitReason::kSwept},
           {"consumed", ExitReason::kConsumed},
           {"destroyed", ExitReason::kDestroyed}}};
}

}  // namespace sweepd::tools
