// SPDX-License-Identifier: MIT
#include "match/templates/template_rules.h"

#include <algorithm>

#include "base/assert.h"
#include "match/part_preparer.h"

namespace sweepd::match {
namespace {

using collision::ObjectSpec;
using collision::Point;

bool may_act_as(const Participant& participant, RoleSet roles) {
  return roles.contains(participant.role) || (participant.acts_as_stage && roles.contains(Role::kStage));
}

/// What a template gives, and so no spawn by one may have.
bool has_own_traits(const ObjectSpec& spec) {
  return !spec.parts.empty() || spec.hit_points > 0 || spec.damage > 0 || spec.single_use ||
         spec.continuous || spec.despawn_outside_playfield;
}

bool contains(const collision::Box& box, std::int64_t x, std::int64_t y) {
  return x >= box.min_x && x <= box.max_x && y >= box.min_y && y <= box.max_y;
}

std::uint64_t distance(Point a, Point b) {
  return length_of(std::int64_t{a.x} - b.x, std::int64_t{a.y} - b.y);
}

std::optional<SpeedLimit> speed_limit_in(const ObjectTemplate& kind, std::uint32_t place) {
  if (!kind.speed_max) return std::nullopt;
  return SpeedLimit{*kind.speed_max, kind.speed_budget_ticks, place, true};
}

RejectionReason reason_of(TemplateRule rule) {
  switch (rule) {
    case TemplateRule::kRequired:
    case TemplateRule::kUnknown:
    case TemplateRule::kRoles:
    case TemplateRule::kOwnTraits:
      return RejectionReason::kTemplateNotAllowed;
    case TemplateRule::kAliveMax:
    case TemplateRule::kTotalMax:
      return RejectionReason::kTooManyObjects;
    case TemplateRule::kRespawnDelay:
    case TemplateRule::kSpawnInterval:
    case TemplateRule::kDisableInterval:
      return RejectionReason::kTooSoon;
    case TemplateRule::kRegion:
    case TemplateRule::kNear:
      return RejectionReason::kSpawnPlace;
    case TemplateRule::kSpeed:
    case TemplateRule::kAcceleration:
      return RejectionReason::kTooFast;
    case TemplateRule::kTeleport:
      return RejectionReason::kMayNotTeleport;
    default:
      return RejectionReason::kNotInTemplate;
  }
}

}  // namespace

TemplateRules::TemplateRules(const MatchConfig& config, const collision::World& world,
                             TemplateObjects& objects, bool is_stricter)
    : templates_(config.templates),
      world_(world),
      objects_(objects),
      speed_limits_(1),
      is_stricter_(is_stricter) {
  for (const ObjectTemplate& kind : templates_) {
    auto& shapes = shapes_.emplace_back();
    for (const TemplateShape& shape : kind.shapes) {
      const auto refusal = prepare_parts(shapes.emplace_back(shape.parts), config.masks);
      SWEEPD_ASSERT(!refusal);
    }
    for (const Role role : kind.roles.list()) bound_roles_.add(role);
    if (kind.speed_max) has_speed_limits_ = true;
    if (kind.is_ballistic) has_any_ballistic_ = true;
    speed_limits_.push_back(speed_limit_in(kind, static_cast<std::uint32_t>(speed_limits_.size() - 1)));
    limits_moves_[speed_limits_.size() - 1] = kind.speed_max || kind.is_ballistic;
  }
  for (TemplateNumber number = 1; is_stricter_ && number <= templates_.size(); ++number) {
    const auto is_near_it = [&](const ObjectTemplate& kind) { return kind.spawn.near == at(number)->name; };
    if (std::ranges::any_of(templates_, is_near_it)) near_.push_back(number);
  }
}

void TemplateRules::begin_frames(const Participant& owner) {
  places_.clear();
  for (const TemplateNumber number : near_) {
    for (const ObjectId id : objects_.count_of(owner.number, number).anchors)
      note_place(id, world_.find(id)->position);
  }
}

void TemplateRules::note_place(ObjectId anchor, Point position) {
  places_.insert(std::ranges::lower_bound(places_, anchor, {}, &Place::object), {anchor, position});
}

Point TemplateRules::place_of(ObjectId anchor) const {
  const auto place = std::ranges::lower_bound(places_, anchor, {}, &Place::object);
  const bool is_noted = place != places_.end() && place->object == anchor;
  return is_noted ? place->position : world_.find(anchor)->position;
}

Refusal TemplateRules::refusal(TemplateRule rule, const ObjectTemplate& broken, std::uint64_t found,
                               std::uint64_t limit) const {
  return {.reason = reason_of(rule),
          .rule = rule,
          .found = found,
          .limit = limit,
          .place = static_cast<std::uint32_t>(&broken - templates_.data())};
}

Refusal TemplateRules::refusal(TemplateRule rule, const ObjectTemplate& broken,
                               const Refusal::Vector& found) const {
  Refusal refused = refusal(rule, broken);
  refused.vector = found;
  return refused;
}

/// A player that acts as the stage may do what either role may, so what one of them may that has no
/// templates.
bool TemplateRules::is_bound(const Participant& owner) const {
  if (!bound_roles_.contains(owner.role)) return false;
  return !owner.acts_as_stage || bound_roles_.contains(Role::kStage);
}

TemplateRules::Verdict TemplateRules::judge_template(const Participant& owner, const ObjectSpec& spec) const {
  const auto refuse = [&](TemplateRule rule) {
    return Refusal{.reason = reason_of(rule), .rule = rule, .found = spec.kind, .limit = templates_.size()};
  };
  if (spec.kind == kNoTemplate)
    return is_bound(owner) ? std::optional(refuse(TemplateRule::kRequired)) : std::nullopt;
  if (spec.kind > templates_.size()) return refuse(TemplateRule::kUnknown);
  const ObjectTemplate& kind = *at(spec.kind);
  if (!may_act_as(owner, kind.roles)) return refusal(TemplateRule::kRoles, kind);
  if (has_own_traits(spec)) return refusal(TemplateRule::kOwnTraits, kind);
  return std::nullopt;
}

TemplateRules::Verdict TemplateRules::judge_pace(const Participant& owner, TemplateNumber number) const {
  const ObjectTemplate& kind = *at(number);
  const SpawnRules& rules = kind.spawn;
  const TemplateObjects::Count& count = objects_.count_of(owner.number, number);
  if (rules.alive_max && count.alive >= *rules.alive_max)
    return refusal(TemplateRule::kAliveMax, kind, count.alive, *rules.alive_max);
  if (rules.total_max > 0 && count.total >= rules.total_max)
    return refusal(TemplateRule::kTotalMax, kind, count.total, rules.total_max);
  const Tick free_from = count.last_gone + rules.respawn_delay_ticks;
  if (count.last_gone != 0 && next_tick() < free_from)
    return refusal(TemplateRule::kRespawnDelay, kind, next_tick() - count.last_gone,
                   rules.respawn_delay_ticks);
  if (rules.interval_ticks == 0 || count.pace.has_room(next_tick(), rules.interval_ticks, rules.burst))
    return std::nullopt;
  return refusal(TemplateRule::kSpawnInterval, kind, count.pace.next(rules.interval_ticks, rules.burst),
                 rules.interval_ticks);
}

TemplateRules::Verdict TemplateRules::judge_place(const Participant& owner, const ObjectTemplate& kind,
                                                  Point position) const {
  const SpawnRules& rules = kind.spawn;
  if (rules.region) {
    const Point origin = world_.playfield_origin();
    const std::int64_t x = std::int64_t{position.x} - origin.x;
    const std::int64_t y = std::int64_t{position.y} - origin.y;
    if (!contains(*rules.region, x, y)) return refusal(TemplateRule::kRegion, kind, Refusal::Vector{x, y});
  }
  if (rules.near.empty()) return std::nullopt;
  const auto anchor = std::ranges::find(templates_, rules.near, &ObjectTemplate::name);
  const auto number = static_cast<TemplateNumber>(anchor - templates_.begin()) + 1;
  std::uint64_t nearest = Refusal::kWithoutEnd;
  for (const ObjectId id : objects_.count_of(owner.number, number).anchors) {
    nearest = std::min(nearest, distance(place_of(id), position));
    if (nearest <= rules.distance_max) return std::nullopt;
  }
  return refusal(TemplateRule::kNear, kind, nearest, rules.distance_max);
}

TemplateRules::Verdict TemplateRules::judge_velocity(const ObjectTemplate& kind, Point velocity) const {
  if (!kind.spawn.velocity || contains(*kind.spawn.velocity, velocity.x, velocity.y)) return std::nullopt;
  return refusal(TemplateRule::kVelocity, kind, Refusal::Vector{velocity.x, velocity.y});
}

TemplateRules::Verdict TemplateRules::judge_life(const ObjectTemplate& kind, std::uint32_t ticks) const {
  const std::uint32_t ticks_max = kind.time_to_live_max_ticks;
  if (ticks_max == 0 || ticks <= ticks_max) return std::nullopt;
  return refusal(TemplateRule::kTimeToLive, kind, ticks, ticks_max);
}

TemplateRules::Verdict TemplateRules::judge_acceleration(const ObjectTemplate& kind,
                                                         const collision::Motion& motion) const {
  if (!kind.acceleration_max) return std::nullopt;
  const std::uint64_t found = length_of(motion.acceleration.x, motion.acceleration.y);
  if (found <= *kind.acceleration_max) return std::nullopt;
  return refusal(TemplateRule::kAcceleration, kind, found, *kind.acceleration_max);
}

void TemplateRules::fill_in(TemplateNumber number, ObjectSpec& spec) const {
  const ObjectTemplate& kind = *at(number);
  spec.parts = shapes_[number - 1].front();
  spec.hit_points = kind.hit_points;
  spec.damage = kind.damage;
  spec.single_use = kind.single_use;
  spec.continuous = kind.continuous;
  spec.despawn_outside_playfield = kind.despawn_outside_playfield;
  if (spec.time_to_live_ticks == 0) spec.time_to_live_ticks = kind.time_to_live_max_ticks;
}

TemplateRules::Verdict TemplateRules::judge_spawn(const Participant& owner, ObjectSpec& spec) const {
  if (auto refusal = judge_template(owner, spec)) return refusal;
  const ObjectTemplate* kind = at(spec.kind);
  if (kind == nullptr) return std::nullopt;
  if (auto refusal = judge_life(*kind, spec.time_to_live_ticks)) return refusal;
  if (auto refusal = judge_acceleration(*kind, spec.motion)) return refusal;
  if (auto refusal = judge_velocity(*kind, spec.motion.velocity)) return refusal;
  if (auto refusal = judge_pace(owner, spec.kind)) return refusal;
  if (auto refusal = judge_place(owner, *kind, spec.position)) return refusal;
  fill_in(spec.kind, spec);
  return std::nullopt;
}

void TemplateRules::accept_spawn(const Participant& owner, const ObjectSpec& spec, ObjectSlot slot) {
  const ObjectTemplate* kind = at(spec.kind);
  if (kind == nullptr) return;
  objects_.add({spec.id, slot, owner.number}, spec.kind, next_tick());
  if (kind->spawn.total_max > 0) objects_.count_spawn(owner.number, spec.kind);
  if (std::ranges::find(near_, spec.kind) != near_.end()) note_place(spec.id, spec.position);
  if (kind->spawn.interval_ticks > 0)
    objects_.note_spawn(owner.number, spec.kind, kind->spawn.interval_ticks);
}

TemplateRules::Verdict TemplateRules::judge_parts(ObjectId object,
                                                  std::span<const collision::Part> parts) const {
  const TemplateNumber number = objects_.template_of(object);
  if (number == kNoTemplate) return std::nullopt;
  const auto is_it = [&](const Parts& shape) { return std::ranges::equal(shape, parts); };
  if (std::ranges::any_of(shapes_[number - 1], is_it)) return std::nullopt;
  return refusal(TemplateRule::kShapes, *at(number), 0, shapes_[number - 1].size());
}

TemplateRules::Verdict TemplateRules::judge_teleport(ObjectId object) const {
  const ObjectTemplate* kind = find(object);
  if (kind == nullptr || kind->may_teleport) return std::nullopt;
  return refusal(TemplateRule::kTeleport, *kind);
}

TemplateRules::Verdict TemplateRules::judge_motion(ObjectId object, const collision::Motion& motion) const {
  if (auto refusal = judge_steering(object)) return refusal;
  const ObjectTemplate* kind = find(object);
  return kind == nullptr ? std::nullopt : judge_acceleration(*kind, motion);
}

TemplateRules::Verdict TemplateRules::judge_steering_of(TemplateNumber number) const {
  const ObjectTemplate* kind = at(number);
  if (kind == nullptr || !kind->is_ballistic) return std::nullopt;
  return refusal(TemplateRule::kBallistic, *kind);
}

/// It counts from the tick in which it is spawned, which is its first. In matches of before the rules were
/// stricter, one that began in time might end later.
TemplateRules::Verdict TemplateRules::judge_disable_age(const ObjectTemplate& kind,
                                                        const Disable& disable) const {
  if (kind.disable_within_ticks == 0) return std::nullopt;
  const Tick spawned = objects_.spawned_in(disable.object);
  const Tick age = is_stricter_ ? std::max(disable.until_tick, spawned) - spawned : next_tick() - spawned;
  const bool is_allowed = is_stricter_ ? age <= kind.disable_within_ticks : age < kind.disable_within_ticks;
  if (is_allowed) return std::nullopt;
  return refusal(TemplateRule::kDisableWithin, kind, age, kind.disable_within_ticks);
}

TemplateRules::Verdict TemplateRules::judge_disable(const Participant& owner, const Disable& disable) const {
  const ObjectTemplate* kind = find(disable.object);
  if (kind == nullptr) return std::nullopt;
  if (kind->disable_max_ticks == 0) return refusal(TemplateRule::kDisable, *kind);
  if (disable.until_tick == 0)
    return refusal(TemplateRule::kDisableTicks, *kind, Refusal::kWithoutEnd, kind->disable_max_ticks);
  if (disable.until_tick > next_tick() + kind->disable_max_ticks)
    return refusal(TemplateRule::kDisableTicks, *kind, disable.until_tick - next_tick(),
                   kind->disable_max_ticks);
  if (auto refusal = judge_disable_age(*kind, disable)) return refusal;
  const auto number = objects_.template_of(disable.object);
  const Tick free_from = objects_.count_of(owner.number, number).may_disable_from;
  if (next_tick() >= free_from) return std::nullopt;
  return refusal(TemplateRule::kDisableInterval, *kind, free_from, kind->disable_interval_ticks);
}

void TemplateRules::accept_disable(const Participant& owner, ObjectId object) {
  const ObjectTemplate* kind = find(object);
  if (kind == nullptr) return;
  objects_.note_disable(owner.number, objects_.template_of(object),
                        next_tick() + kind->disable_interval_ticks);
}

TemplateRules::Verdict TemplateRules::judge_freeze(ObjectId object) const {
  const ObjectTemplate* kind = find(object);
  if (kind == nullptr || kind->may_freeze) return std::nullopt;
  return refusal(TemplateRule::kFreeze, *kind);
}

TemplateRules::Verdict TemplateRules::judge_transfer(const Participant& receiver, ObjectId object) const {
  const ObjectTemplate* kind = find(object);
  if (kind == nullptr) return std::nullopt;
  if (!may_act_as(receiver, kind->transfer_roles)) return refusal(TemplateRule::kTransfer, *kind);
  const std::uint32_t alive = objects_.count_of(receiver.number, objects_.template_of(object)).alive;
  if (!kind->spawn.alive_max || alive < *kind->spawn.alive_max) return std::nullopt;
  return refusal(TemplateRule::kAliveMax, *kind, alive, *kind->spawn.alive_max);
}

}  // namespace sweepd::match
