// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "sweepd/ids.h"
#include "sweepd/shapes.h"

/// Hit claims: "this shot hit that target, as I saw it", and what the server finds.
namespace sweepd {

enum class ClaimPolicy {
  kObserve,  ///< Claims are judged and counted.
  kWarn,     ///< Stages, observers and watchers are told of those that are not confirmed.
  kEnforce,  ///< And those that are confirmed hit, where CollidingLayers::by_claims says so.
};

/// How a match judges claims.
struct ClaimRules {
  ClaimPolicy policy = ClaimPolicy::kObserve;
  std::uint32_t rewind_ticks_max = 30;  ///< How far before the last tick one may be judged; 0 to 3600.
  double tolerance_max = 16;            ///< That a claim may ask for, in units; 0 to 65536.
  std::uint32_t delay_allowance_ticks =
      6;  ///< Beyond the claimant's delay, as the server measures it; 0 to 3600.
  std::uint32_t hits_per_shot_max = 1;  ///< 0 to 65535; 0: no limit. A single-use shot has one in any case.
  /// The claimant's delay, as it counts, rises by a tick in so many, and falls at once; 0 to 3600. 0: it is
  /// smoothed, and rises as fast as it is measured.
  std::uint32_t window_rise_ticks = 0;
};

/// What the server finds. Of several the first counts, but for kConfirmed in the order of their rules in
/// claims.proto.
enum class Verdict {
  kUnknown = 0,  ///< Of a newer server; not confirmed.
  kConfirmed = 1,
  kNotOverlapping,  ///< The margin is above the tolerance, or one of the two was disabled.
  /// The target is not there now, or one of the two was not there then. Normal in co-op, where another has
  /// just destroyed the target, and no sign of a cheat.
  kUnknownObject,
  kNotOwner,            ///< The shot was not the claimant's.
  kTooOld,              ///< Before what may be judged, or before a teleport.
  kInTheFuture,         ///< The tick has not run yet.
  kLayersDoNotCollide,  ///< By the match's config.
  kAlreadyClaimed,      ///< The shot has hit before: this target, or as many as it may.
  kImplausibleView,     ///< Older than what the claimant can have seen.
};

/// "CONFIRMED", "NOT_OVERLAPPING", …
const char* to_string(Verdict verdict);

struct HitClaim {
  std::uint32_t number = 0;  ///< Your own, for the verdict.
  ObjectId shot = 0;
  ObjectId target = 0;
  /// After which the world was as you saw it: the tick on the screen. Session::tick() when you drew it, less
  /// what you show later than it comes; or, where you predict, the tick that you drew ahead: then send the
  /// claim with a frame for a later one.
  Tick tick_seen = 0;
  double tolerance = 0;                           ///< By so many units one of the two may miss the other.
  std::optional<std::uint32_t> shot_part = {};    ///< Absent: any.
  std::optional<std::uint32_t> target_part = {};  ///< Absent: any.
};

/// What was measured, of the two parts that were closest.
struct ClaimEvidence {
  /// Above 0: they did not touch; their least distance on their ways through the tick, in units. 0 or less:
  /// they touched; minus how deep the boxes around them overlapped, along x or y. To 1/256 unit.
  double margin = 0;
  std::uint32_t shot_part = 0;
  std::uint32_t target_part = 0;
  Box shot_box;  ///< At the end of the tick judged.
  Box target_box;
};

struct ClaimVerdict {
  std::uint32_t number = 0;
  Verdict verdict = Verdict::kConfirmed;
  ObjectId shot = 0;
  ObjectId target = 0;
  Tick tick_judged = 0;                   ///< 0: none was.
  std::optional<ClaimEvidence> evidence;  ///< Absent where it did not come to that.
  /// kEnforce, and the layers are by_claims: it has had the outcome of contact. False of a confirmed claim,
  /// too, if one of the two was gone by then, or the target disabled: then take the hit back.
  bool has_struck = false;
  ParticipantNumber claimant = 0;
  std::optional<std::uint32_t> delay_ticks = {};   ///< The claimant's, as measured.
  std::optional<std::uint32_t> window_ticks = {};  ///< How far before its arrival it might be judged.
  double tolerance = 0;                            ///< That counted, in units: as claimed or less.
};

using ClaimCounts = std::map<Verdict, std::uint64_t>;

}  // namespace sweepd
