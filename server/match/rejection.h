// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "match/frame.h"
#include "match/participant.h"

namespace sweepd::match {

/// Why a change or a frame was refused. The numbers are those of the public contract.
enum class RejectionReason : std::uint8_t {
  kMalformed = 1,
  kTooLate = 2,
  kTooFarAhead = 3,
  kTooManyFrames = 4,
  kNotAllowed = 5,
  kIdOutOfBlock = 6,
  kIdInUse = 7,
  kIdUsedThisTick = 8,
  kUnknownObject = 9,
  kNotOwner = 10,
  kInvertedBox = 11,
  kUnknownLayer = 12,
  kUnknownPart = 13,
  kOutOfRange = 14,
  kNoParts = 15,
  kTooManyParts = 16,
  kTooManyObjects = 17,
  kTickInThePast = 18,
  kNegativeRadius = 19,
  kUnknownMask = 20,
  kTooFast = 21,
  kMayNotTeleport = 22,
  kLayerNotAllowed = 23,
  kTooManyBytes = 24,
  kOutsidePlayfield = 25,
  kTooManyClaims = 26,
  kNotAParticipant = 27,
  kMayNotControl = 28,
  kTooManyMassChanges = 29,
  kTemplateNotAllowed = 30,
  kTooSoon = 31,
  kSpawnPlace = 32,
  kNotInTemplate = 33,
  kRegionTooLarge = 34,
  kTooManyMessages = 35,
};

/// The rule of the config that a refused change breaks.
struct BrokenRule {
  std::string rule;           ///< Path within the config: "templates[1].spawn.alive_max".
  std::string template_name;  ///< Empty: it is of no template.
  /// What was found, and at most or, of times, at least allowed. Of what is no number both are 0.
  std::uint64_t found = 0;
  std::uint64_t limit = 0;
  friend bool operator==(const BrokenRule&, const BrokenRule&) = default;
};

/// A change, or a whole frame, that was refused. It changed nothing.
struct Rejection {
  ParticipantNumber participant = 0;
  Tick tick = 0;        ///< In which it would have applied, or was refused.
  Tick frame_tick = 0;  ///< As sent.
  RejectionReason reason = RejectionReason::kMalformed;
  std::string field;    ///< Path within the frame, in the public contract's words: "spawns[2].parts[0].box".
  ObjectId object = 0;  ///< 0: the whole frame.
  std::string message;  ///< For people: what was found, and the limit.
  std::optional<BrokenRule> broken_rule = {};
};

/// How many further rejections a participant had in a tick that lists kRejectionsListedMax of them already.
struct UnlistedRejections {
  ParticipantNumber participant = 0;
  std::uint64_t count = 0;
};

/// Per participant and tick. A client that breaks a rule thousands of times learns no more from thousands of
/// messages.
inline constexpr std::size_t kRejectionsListedMax = 64;

}  // namespace sweepd::match
