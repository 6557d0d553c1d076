// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collision/event.h"
#include "match/field_check.h"

namespace sweepd::match {

/// What of an encounter scores. The numbers are those of the public contract.
enum class ScoringMoment : std::uint8_t {
  kEnter = 1,
  kExit = 2,       ///< Not at the end of the match.
  kDestroyed = 3,  ///< The object on layer_a lost its last hit point to the one on layer_b.
  kContact = 4,    ///< Every tick at whose end it is open.
};

/// Who gets the points: the owner of the object on that side.
enum class ScoringCredit : std::uint8_t { kOwnerOfA = 1, kOwnerOfB = 2 };

inline constexpr std::uint32_t kScoringRulesMax = 64;
inline constexpr std::int32_t kPointsMax = 1'000'000'000;  ///< And as many to be lost.

/// Turns encounters of a pair of layers into points.
struct ScoringRule {
  std::string name = {};  ///< For people.
  std::string layer_a = {};
  std::string layer_b = {};  ///< The same as layer_a: `a` is the object of the smaller id.
  ScoringMoment when = ScoringMoment::kEnter;
  std::int32_t points = 0;
  ScoringCredit credit = ScoringCredit::kOwnerOfA;
  bool once_per_object = false;      ///< Per participant and object on the other side, while that exists.
  std::uint32_t cooldown_ticks = 0;  ///< Per participant and object on the other side; at most 36,000.
  std::vector<collision::ExitReason> exit_reasons = {};  ///< For kExit; empty: any.
};

struct CollidingLayers;

/// The first field at fault, or nothing.
Found find_scoring_error(const std::vector<ScoringRule>& rules, const std::vector<CollidingLayers>& collides);

}  // namespace sweepd::match
