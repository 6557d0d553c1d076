// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "collision/geometry.h"
#include "collision/object.h"

namespace sweepd::match {

using collision::ObjectId;
using collision::Tick;
using ParticipantNumber = std::uint32_t;

/// "This shot hit that target, as I saw it."
struct HitClaim {
  std::uint32_t number = 0;  ///< The claimant's own, for the verdict.
  ObjectId shot = 0;
  ObjectId target = 0;
  std::optional<std::uint32_t> shot_part = {};    ///< Absent: any.
  std::optional<std::uint32_t> target_part = {};  ///< Absent: any.
  Tick tick_seen = 0;                             ///< After which the world was as the claimant saw it.
  std::uint32_t tolerance = 0;                    ///< Subunits.
};

/// The claimant, and what the server itself knows of how old its view may be.
struct Claimant {
  ParticipantNumber number = 0;
  Tick arrival_tick = 0;  ///< The last tick when the claim came in.
  /// How far its view then was behind, as measured. Absent: it is not measured, and the rewind alone is
  /// bounded.
  std::optional<std::uint32_t> delay_ticks = {};
  /// So much of it counts, where the match bounds how fast it rises (ClaimRules::window_rise_ticks).
  std::optional<std::uint32_t> window_ticks = {};

  std::optional<std::uint32_t> counted_ticks() const { return window_ticks ? window_ticks : delay_ticks; }
};

/// The numbers are those of the public contract.
enum class Verdict : std::uint8_t {
  kConfirmed = 1,
  kNotOverlapping = 2,
  kUnknownObject = 3,
  kNotOwner = 4,
  kTooOld = 5,
  kInTheFuture = 6,
  kLayersDoNotCollide = 7,
  kAlreadyClaimed = 8,
  kImplausibleView = 9,
};
inline constexpr std::size_t kVerdictsEnd = 10;

/// What claims came to: counts by verdict.
using ClaimCounts = std::array<std::uint64_t, kVerdictsEnd>;

/// What was measured, of the two parts that were closest: the lowest of several.
struct ClaimEvidence {
  std::int64_t margin = 0;  ///< As collision::margin, on their ways through the tick judged.
  std::uint8_t shot_part = 0;
  std::uint8_t target_part = 0;
  collision::LayerId shot_layer = 0;
  collision::LayerId target_layer = 0;
  collision::Box shot_box;  ///< At the end of the tick judged.
  collision::Box target_box;
};

struct ClaimVerdict {
  ParticipantNumber claimant = 0;
  HitClaim claim;
  Verdict verdict = Verdict::kConfirmed;
  Tick tick_judged = 0;                            ///< 0: none could be.
  std::optional<ClaimEvidence> evidence;           ///< Absent where it did not come to that.
  bool has_struck = false;                         ///< It has had the outcome of contact.
  std::optional<std::uint32_t> delay_ticks = {};   ///< The claimant's, as measured.
  std::optional<std::uint32_t> window_ticks = {};  ///< How far before its arrival it might be judged.
  std::uint32_t tolerance = 0;                     ///< That counted: what was asked for, or less.
  std::uint32_t pairs_measured = 0;  ///< Of parts: what it has cost; one with a mask counts as 16.
};

}  // namespace sweepd::match
