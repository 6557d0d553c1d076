// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "collision/world.h"
#include "match/config.h"
#include "match/object_owners.h"
#include "match/refusal.h"
#include "match/rights.h"
#include "match/speed_budget.h"
#include "match/templates/template_rules.h"

namespace sweepd::match {

/// Judges changes to objects by the rights of their sender and by the limits of layers. `judge_...` changes
/// nothing; where it has no objection and the world has none either, `accept` notes what the change takes of
/// the object's budget. What no object can have (unknown layers and parts, shapes turned inside out) is the
/// world's to refuse.
///
/// An object is as fast as the strictest speed_max of its parts' layers. To reshape it, or to move a part to
/// another layer, moves it, too: as far as the middle of its parts with a limit moves.
class ObjectLimits {
 public:
  /// `is_stricter`: see kStricterRules.
  ObjectLimits(const MatchConfig& config, const collision::World& world, ObjectOwners& owners,
               TemplateObjects& templates, bool is_stricter);

  const Rights& rights_of(const Participant& participant) const { return rights_.of(participant); }

  using Verdict = std::optional<Refusal>;

  /// All frames of a participant that apply in a tick come after this.
  void begin_frames(const Participant& owner) { templates_.begin_frames(owner); }

  /// Fills in what a template gives.
  Verdict judge_spawn(const Participant& owner, collision::ObjectSpec& spec);
  Verdict judge_reshape(const Participant& owner, ObjectId object, std::span<const collision::Part> parts);
  Verdict judge_layer_change(const Participant& owner, const LayerChange& change);
  /// `slot`: of its object.
  Verdict judge_move(const Move& move, ObjectSlot slot);
  /// Whether there are limits that a move may meet. Else moves need not be judged.
  bool has_any_for_moves() const {
    return has_speed_limits() || indoor_layers_ != 0 || templates_.has_any_ballistic();
  }
  /// Whether there are any that a move of the object there may meet.
  bool has_any_for_moves_at(ObjectSlot slot) const {
    return limited_layers_ != 0 || indoor_layers_ != 0 || templates_.limits_moves_at(slot);
  }
  Verdict judge_teleport(const Participant& owner, const Move& teleport);
  Verdict judge_motion(const MotionChange& change);
  Verdict judge_disable(const Participant& owner, const Disable& disable) const {
    return templates_.judge_disable(owner, disable);
  }
  /// Of a selection, whose other objects are others'.
  Verdict judge_freeze(ObjectId object, bool is_own) const {
    return is_own || is_stricter_ ? templates_.judge_freeze(object) : std::nullopt;
  }
  /// Whether `receiver` may have one more object of so many parts.
  Verdict judge_transfer(const Participant& receiver, ObjectId object) const;

  /// Parts on these layers are carried along by a playfield that scrolls. Bit i: layer i.
  std::uint64_t carried_layers() const { return is_stricter_ ? indoor_layers_ : 0; }
  /// Where such an object has to be so that it is within the playfield; nothing: where it is.
  std::optional<collision::Point> place_inside(const collision::ObjectView& object) const;

  /// The change that was judged last has been made. True: the object has to be swept in this tick, as it goes
  /// farther than one tick's way.
  [[nodiscard]] bool accept();
  void accept_spawn(const Participant& owner, const collision::ObjectSpec& spec) {
    if (!templates_.has_any() && !has_speed_limits()) return;
    judged_ = world_.slot_of(spec.id);
    templates_.accept_spawn(owner, spec, judged_);
    keep_budget();
  }
  void accept_disable(const Participant& owner, ObjectId object) { templates_.accept_disable(owner, object); }

 private:
  using Parts = std::span<const collision::Part>;
  struct Body {
    Parts parts;
    collision::Point position;
  };

  Tick next_tick() const { return world_.tick() + 1; }
  bool has_speed_limits() const { return limited_layers_ != 0 || templates_.has_speed_limits(); }
  std::optional<SpeedLimit> speed_limit_of(Parts parts) const;
  std::optional<SpeedLimit> speed_limit_of(const std::optional<SpeedLimit>& of_template, Parts parts) const;
  /// The stricter of the two.
  std::optional<SpeedLimit> speed_limit_of(const collision::ObjectView& object, Parts parts) const;
  Verdict judge_count(const Participant& owner, std::size_t parts) const;
  /// Whether the match may have so many more.
  Verdict judge_budgets(std::size_t objects, std::size_t parts) const;
  Verdict judge_layers(const Participant& owner, Parts parts) const;
  Verdict judge_place(const Body& before, const Body& after) const;
  Verdict judge_stillness(Parts parts, const collision::Motion& motion) const;
  Verdict judge_speed(const SpeedLimit& limit, const collision::Motion& motion, Tick ticks) const;
  Verdict judge_parts(const collision::ObjectView& object, Parts parts);
  void keep_budget();
  /// Of the object that is judged.
  void take_up_budget(const SpeedLimit& limit, std::uint64_t motion_speed);
  /// What its motion takes of its budget in this tick.
  static std::uint64_t motion_speed_of(bool is_counted, const collision::Motion& motion);
  std::uint64_t motion_speed_of(const collision::ObjectView& object, const collision::Motion& motion) const;
  std::uint64_t distance(Parts before, Parts after) const;

  const collision::World& world_;
  ObjectOwners& owners_;
  RightsTable rights_;
  TemplateRules templates_;
  std::uint32_t objects_per_participant_max_;
  Budgets budgets_;
  collision::Box playfield_;  ///< Before scrolling.
  std::array<SpeedLimit, collision::kLayersMax> speed_limits_{};
  std::uint64_t limited_layers_ = 0;  ///< Bit i: layer i has a speed limit.
  std::uint64_t indoor_layers_ = 0;   ///< Bit i: parts on layer i have to stay in the playfield.
  std::array<std::uint32_t, collision::kLayersMax> indoor_places_{};  ///< Their places in the config.

  const bool spreads_late_frames_;  ///< See LateFramePolicy.
  const bool is_stricter_;

  ObjectSlot judged_ = collision::kNoSlot;  ///< The object that was judged last, if it is no new one.
  std::optional<SpeedBudget> budget_;       ///< Of what was judged last, if it is accepted and under a limit.
  SpeedLimit limit_;                        ///< That limit.
};

}  // namespace sweepd::match
