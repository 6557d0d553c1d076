// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/world.h"
#include "match/config.h"
#include "match/refusal.h"
#include "match/speed_budget.h"
#include "match/templates/template_objects.h"

namespace sweepd::match {

/// Judges spawns by templates, and changes to objects that have one. `judge_...` changes nothing but the spec
/// that it fills in; `accept_...` notes what a change takes once the world has made it.
class TemplateRules {
 public:
  /// All must outlive it. `is_stricter`: see kStricterRules.
  TemplateRules(const MatchConfig& config, const collision::World& world, TemplateObjects& objects,
                bool is_stricter);

  using Verdict = std::optional<Refusal>;

  bool has_any() const { return !templates_.empty(); }
  /// The participant's frames of a tick begin to apply: what it spawns near to is where it is now.
  void begin_frames(const Participant& owner);
  bool has_template(ObjectId object) const { return objects_.template_of(object) != kNoTemplate; }
  bool has_speed_limits() const { return has_speed_limits_; }

  /// Fills in what the template gives. Where the owner has templates, it may spawn nothing else.
  Verdict judge_spawn(const Participant& owner, collision::ObjectSpec& spec) const;
  void accept_spawn(const Participant& owner, const collision::ObjectSpec& spec, ObjectSlot slot);

  /// By a reshape, or a change of layers.
  Verdict judge_parts(ObjectId object, std::span<const collision::Part> parts) const;
  Verdict judge_teleport(ObjectId object) const;
  bool has_any_ballistic() const { return has_any_ballistic_; }
  Verdict judge_steering(ObjectId object) const {
    return has_any_ballistic_ ? judge_steering_of(objects_.template_of(object)) : std::nullopt;
  }
  Verdict judge_steering_of(TemplateNumber number) const;
  Verdict judge_motion(ObjectId object, const collision::Motion& motion) const;
  Verdict judge_disable(const Participant& owner, const Disable& disable) const;
  void accept_disable(const Participant& owner, ObjectId object);
  Verdict judge_freeze(ObjectId object) const;
  Verdict judge_transfer(const Participant& receiver, ObjectId object) const;

  TemplateNumber template_at(ObjectSlot slot) const { return objects_.template_at(slot); }
  /// Whether a move of the object there may break a rule of its template.
  bool limits_moves_at(ObjectSlot slot) const { return limits_moves_[template_at(slot)]; }
  /// Nothing: the object's template has none, or it has no template.
  std::optional<SpeedLimit> speed_limit_of(ObjectId object) const {
    return has_speed_limits_ ? speed_limit_of_template(objects_.template_of(object)) : std::nullopt;
  }
  std::optional<SpeedLimit> speed_limit_of_template(TemplateNumber number) const {
    return speed_limits_[number];
  }

 private:
  using Parts = std::vector<collision::Part>;
  const ObjectTemplate* find(ObjectId object) const { return at(objects_.template_of(object)); }
  const ObjectTemplate* at(TemplateNumber number) const {
    return number == kNoTemplate ? nullptr : &templates_[number - 1];
  }
  Refusal refusal(TemplateRule rule, const ObjectTemplate& broken, std::uint64_t found = 0,
                  std::uint64_t limit = 0) const;
  Refusal refusal(TemplateRule rule, const ObjectTemplate& broken, const Refusal::Vector& found) const;
  bool is_bound(const Participant& owner) const;
  Verdict judge_template(const Participant& owner, const collision::ObjectSpec& spec) const;
  Verdict judge_pace(const Participant& owner, TemplateNumber number) const;
  Verdict judge_place(const Participant& owner, const ObjectTemplate& kind, collision::Point position) const;
  void note_place(ObjectId anchor, collision::Point position);
  collision::Point place_of(ObjectId anchor) const;
  Verdict judge_velocity(const ObjectTemplate& kind, collision::Point velocity) const;
  Verdict judge_disable_age(const ObjectTemplate& kind, const Disable& disable) const;
  Verdict judge_life(const ObjectTemplate& kind, std::uint32_t ticks) const;
  Verdict judge_acceleration(const ObjectTemplate& kind, const collision::Motion& motion) const;
  void fill_in(TemplateNumber number, collision::ObjectSpec& spec) const;
  Tick next_tick() const { return world_.tick() + 1; }

  const std::vector<ObjectTemplate>& templates_;
  const collision::World& world_;
  TemplateObjects& objects_;
  std::vector<std::vector<Parts>> shapes_;               ///< By template: as the world has them.
  RoleSet bound_roles_;                                  ///< That have templates.
  std::vector<std::optional<SpeedLimit>> speed_limits_;  ///< By number: of none, too.
  std::array<bool, kTemplatesMax + 1> limits_moves_{};   ///< The same.
  bool has_speed_limits_ = false;
  bool has_any_ballistic_ = false;
  const bool is_stricter_;
  std::vector<TemplateNumber> near_;  ///< That others are spawned near to.
  /// Of the participant whose frames apply: where those of `near_` were before, and what came since, where
  /// that was spawned. Ascending.
  struct Place {
    ObjectId object;
    collision::Point position;
  };
  std::vector<Place> places_;
};

}  // namespace sweepd::match
