// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sweepd/ids.h"

/// How encounters become points. The score is the server's: no client has a word in it.
namespace sweepd {

enum class ExitReason;

/// What of an encounter scores.
enum class ScoringMoment {
  kEnter,
  kExit,       ///< Not at the end of the match.
  kDestroyed,  ///< The object on layer_a lost its last hit point to the one on layer_b.
  kContact,    ///< Every tick at whose end the encounter is open.
};

/// Who gets the points: the participant that owns the object on that side.
enum class ScoringCredit { kOwnerOfA, kOwnerOfB };

/// Turns encounters of a pair of layers into points. Several rules may be about the same pair.
struct ScoringRule {
  std::string name = {};  ///< For people; at most 64 bytes.
  std::string layer_a = {};
  std::string layer_b = {};  ///< The same as layer_a: `a` is the object of the smaller id.
  ScoringMoment when = ScoringMoment::kEnter;
  std::int32_t points = 0;  ///< At most 1,000,000,000, won or lost.
  ScoringCredit credit = ScoringCredit::kOwnerOfA;
  /// Once for a participant and the object on the other side, for as long as that exists. For graze.
  bool once_per_object = false;
  /// For a participant and the object on the other side not again for so long. At most 36,000.
  std::uint32_t cooldown_ticks = 0;
  std::vector<ExitReason> exit_reasons = {};  ///< For kExit: only these. Empty: any.
};

/// A participant's score.
struct Score {
  ParticipantNumber participant = 0;
  std::string name = {};
  std::int64_t score = 0;
  bool has_left = false;  ///< Its number may be another participant's by now.
};

}  // namespace sweepd
