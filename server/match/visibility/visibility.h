// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "collision/geometry.h"
#include "match/match.h"
#include "match/templates/template_objects.h"

namespace sweepd::match {

/// A bit for each number of players and stages.
using SeatBits = std::uint64_t;
static_assert(kParticipantsMax <= 64);
/// None of what has no such number.
constexpr SeatBits seat_bit(ParticipantNumber number) {
  return number < kParticipantsMax ? SeatBits{1} << number : 0;
}

/// The eyes that something is told to: seats of a role. A viewer without seats owns nothing.
struct Viewer {
  bool sees_all = true;  ///< Stages, operators and backends; those below do not matter then.
  Role role = Role::kPlayer;
  std::vector<ParticipantNumber> seats = {};  ///< Sorted. Of observers: none.

  bool owns(ParticipantNumber owner) const;
  SeatBits bits() const {
    SeatBits bits = 0;
    for (const ParticipantNumber number : seats) bits |= seat_bit(number);
    return bits;
  }
};

/// The eyes of participants of a match: of stages, and of a player that acts as one, they see all; observers'
/// add nothing to those of players.
Viewer viewer_of(const Match& match, const std::vector<ParticipantNumber>& numbers);

/// What rules look at of an object: whose it is, where it is, and a layer on which it has a part.
struct Sighted {
  ParticipantNumber owner = 0;
  std::optional<Role> owner_role = {};            ///< Absent: the owner has left.
  std::optional<collision::Point> position = {};  ///< Absent: it is nowhere any more.
  collision::LayerId layer = 0;
};

/// The rules of a config on who sees what. Pure: asked with facts of one tick, it tells of that tick. Events,
/// queries and whatever else tells of objects ask the same rules.
class Visibility {
 public:
  explicit Visibility(const MatchConfig& config);

  /// Anything is hidden from the role, or told late.
  bool is_limited(Role role) const { return rules_of(role).is_limited || delay_ticks(role) > 0; }
  /// Anything is hidden from the role for good.
  bool hides_any(Role role) const { return rules_of(role).is_limited; }
  /// What is seen depends on whose eyes these are.
  bool depends_on_seats() const { return rules_of(Role::kPlayer).is_limited; }
  std::uint32_t delay_ticks(Role role) const { return role == Role::kObserver ? observer_delay_ticks_ : 0; }
  /// All of the layer, whose ever it is.
  bool sees_all_of(Role role, collision::LayerId layer) const {
    return rules_of(role).layers[layer].sees == Sight::kAll;
  }

  /// Takes from a verdict on a claim of the viewer's what it may not know.
  void limit(const Viewer& viewer, ClaimVerdict& verdict) const;

  /// Those of `seats`, all of `role`, that see the object. `near(template, position, distance_max)`: those
  /// that have one of their objects of that template that near.
  template <typename Near>
  SeatBits seats_that_see(Role role, SeatBits seats, const Sighted& object, const Near& near) const {
    const LayerRule& rule = rules_of(role).layers[object.layer];
    const bool is_of_team = rule.sees == Sight::kTeam && object.owner_role == role;
    if (rule.sees == Sight::kAll || is_of_team) return seats;
    const SeatBits own = seats & seat_bit(object.owner);
    if (rule.sees != Sight::kNear || !object.position) return own;
    return own | (seats & near(rule.near, *object.position, rule.distance_max));
  }

 private:
  struct LayerRule {
    Sight sees = Sight::kAll;
    TemplateNumber near = kNoTemplate;
    std::uint32_t distance_max = 0;
  };
  struct RoleRules {
    std::array<LayerRule, collision::kLayersMax> layers = {};
    bool is_limited = false;
  };
  const RoleRules& rules_of(Role role) const { return roles_[static_cast<std::size_t>(role)]; }

  std::array<RoleRules, 4> roles_ = {};  ///< By Role.
  std::uint32_t observer_delay_ticks_;
};

/// The verdict as if there had never been such a target.
ClaimVerdict of_unknown_target(const ClaimVerdict& verdict);

/// Within `distance_max` of each other, as the crow flies.
bool is_within(collision::Point a, collision::Point b, std::uint32_t distance_max);

}  // namespace sweepd::match
