// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "collision/event.h"
#include "match/enum_range.h"
#include "match/field.h"

namespace sweepd::match {

/// What of an encounter scores. The numbers are those of the public contract.
enum class ScoringMoment : std::uint8_t {
  kEnter = 1,
  kExit = 2,       ///< Not at the end of the match.
  kDestroyed = 3,  ///< The object on layer_a lost its last hit point to the one on layer_b.
  kContact = 4,    ///< Every tick at whose end it is open.
};
constexpr Range numbers_of(ScoringMoment) { return range_from<ScoringMoment::kEnter>(); }

/// Who gets the points: the owner of the object on that side.
enum class ScoringCredit : std::uint8_t { kOwnerOfA = 1, kOwnerOfB = 2 };
constexpr Range numbers_of(ScoringCredit) { return range_from<ScoringCredit::kOwnerOfA>(); }

/// Of those that an encounter ends with.
constexpr Range numbers_of(collision::ExitReason) { return range_from<collision::ExitReason::kMoved>(); }

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
  std::uint32_t cooldown_ticks = 0;  ///< Per participant and object on the other side.
  std::vector<collision::ExitReason> exit_reasons = {};  ///< For kExit; empty: any.
  friend bool operator==(const ScoringRule&, const ScoringRule&) = default;
};

Found check_scored_layers(const FieldIn<ScoringRule>& field);
Found check_exit_reasons(const FieldIn<ScoringRule>& field);

constexpr void for_each_field(std::type_identity<ScoringRule>, const auto& visit) {
  visit(SWEEPD_FIELD(ScoringRule, name).in({0, kNameBytesMax}).outside_rules());
  visit(SWEEPD_FIELD(ScoringRule, layer_a).by(check_scored_layers).digested());
  visit(SWEEPD_FIELD(ScoringRule, layer_b).digested());
  visit(SWEEPD_FIELD(ScoringRule, when).digested());
  visit(SWEEPD_FIELD(ScoringRule, credit).digested());
  visit(SWEEPD_FIELD(ScoringRule, points).in({-kPointsMax, kPointsMax}).digested());
  visit(SWEEPD_FIELD(ScoringRule, once_per_object).digested());
  visit(SWEEPD_FIELD(ScoringRule, cooldown_ticks).in({0, 36'000}).digested());
  visit(SWEEPD_FIELD(ScoringRule, exit_reasons).by(check_exit_reasons).digested());
}

}  // namespace sweepd::match
