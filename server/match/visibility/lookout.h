// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash_secret.h"
#include "collision/tick_budget.h"
#include "match/visibility/visibility.h"

namespace sweepd::match {

/// Looks around for seats, at one moment of a match: which of them see what. A place is looked at once for
/// each rule, however many objects are there, and however many encounters they are in.
///
/// What it costs is counted in tests (TickBudget::tests_max), of which kDistancesPerTest distances are one.
/// The count is of the match's objects, seats and rules: subscribers do not change it. Past its tests nothing
/// further is near to any seat.
class Lookout {
 public:
  static constexpr std::uint64_t kDistancesPerTest = 4;

  /// Where a seat's object is; nothing: it was not there, or not the seat's.
  using PositionOf = std::function<std::optional<collision::Point>(ParticipantNumber, ObjectId)>;

  /// `seats`: all of `role`. `match` and `rules` must outlive it.
  Lookout(const Match& match, const Visibility& rules, Role role, SeatBits seats, PositionOf position_of,
          std::uint32_t tests_max);

  SeatBits seats() const { return seats_; }
  /// Those of `seats` that see the object.
  SeatBits seats_that_see(const Sighted& object);

  const collision::TestMeter& meter() const { return meter_; }

 private:
  /// Where a seat has its objects of a template: some.
  struct Anchors {
    ParticipantNumber seat;
    std::vector<collision::Point> places;
    collision::Box bounds;
  };
  using Ring = std::unordered_map<std::uint64_t, SeatBits, base::SecretHash>;  ///< By place.

  SeatBits near(TemplateNumber kind, collision::Point position, std::uint32_t distance_max);
  SeatBits look(const std::vector<Anchors>& anchors, collision::Point position, std::uint32_t distance_max);
  const std::vector<Anchors>& anchors_of(TemplateNumber kind);
  std::vector<collision::Point> places_of(ParticipantNumber seat, TemplateNumber kind) const;
  bool take(std::uint64_t distances) {
    return meter_.take((distances + kDistancesPerTest - 1) / kDistancesPerTest);
  }

  const Match& match_;
  const Visibility& rules_;
  const Role role_;
  const SeatBits seats_;
  const PositionOf position_of_;
  collision::TestMeter meter_;
  std::map<TemplateNumber, std::vector<Anchors>> anchors_;
  std::map<std::pair<TemplateNumber, std::uint32_t>, Ring> rings_;  ///< By template and distance.
};

}  // namespace sweepd::match
