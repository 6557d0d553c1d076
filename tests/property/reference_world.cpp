// SPDX-License-Identifier: MIT
#include "property/reference_world.h"

#include <algorithm>

#include "collision/shapes/shape.h"
#include "collision/shapes/shape_check.h"

namespace sweepd::property {

using namespace collision;  // NOLINT: this file speaks of nothing else.

namespace {

/// A box in numbers that cannot overflow.
struct WideBox {
  std::int64_t min_x, min_y, max_x, max_y;
};

WideBox place(const Part& part, std::int64_t x, std::int64_t y) {
  return {part.box.min_x + x, part.box.min_y + y, part.box.max_x + x, part.box.max_y + y};
}

WideBox place(const Part& part, const ObjectSpec& spec) {
  return place(part, spec.position.x, spec.position.y);
}

bool apart(const WideBox& a, const WideBox& b) {
  return a.max_x < b.min_x || b.max_x < a.min_x || a.max_y < b.min_y || b.max_y < a.min_y;
}

bool in_range(std::int64_t value) { return value >= -2147483648LL && value <= 2147483647LL; }

bool in_range(const WideBox& box) {
  return in_range(box.min_x) && in_range(box.min_y) && in_range(box.max_x) && in_range(box.max_y);
}

bool in_range(const std::vector<Part>& parts, std::int64_t x, std::int64_t y) {
  return std::all_of(parts.begin(), parts.end(),
                     [&](const Part& part) { return in_range(place(part, x, y)); });
}

std::set<LayerId> layer_set_of(std::span<const Part> parts) {
  std::set<LayerId> layers;
  for (const Part& part : parts) layers.insert(part.layer);
  return layers;
}

std::uint64_t mix(std::uint64_t word) {
  word ^= word >> 30;
  word *= 13787848793156543929ULL;
  word ^= word >> 27;
  word *= 10723151780598845931ULL;
  return word ^ (word >> 31);
}

}  // namespace

ChangeResult ReferenceWorld::check(std::span<const Part> parts, Point position) const {
  if (parts.empty()) return {ChangeError::kNoParts};
  if (parts.size() > 32) return {ChangeError::kTooManyParts};
  std::uint8_t index = 0;
  for (const Part& part : parts) {
    if (part.box.min_x > part.box.max_x || part.box.min_y > part.box.max_y)
      return {ChangeError::kInvertedBox, index};
    if (part.radius < 0) return {ChangeError::kNegativeRadius, index};
    if (part.layer >= config_.layer_count) return {ChangeError::kUnknownLayer, index};
    if (!in_range(place(part, position.x, position.y))) return {ChangeError::kOutOfRange, index};
    ++index;
  }
  return {};
}

ReferenceWorld::Object* ReferenceWorld::find(ObjectId id) {
  const auto found = objects_.find(id);
  return found == objects_.end() ? nullptr : &found->second;
}

ChangeResult ReferenceWorld::spawn(const ObjectSpec& spec) {
  if (objects_.contains(spec.id)) return {ChangeError::kIdInUse};
  if (gone_.contains(spec.id)) return {ChangeError::kIdUsedThisTick};
  const ChangeResult result = check(spec.parts, spec.position);
  if (!result.ok()) return result;
  Object& object = objects_[spec.id];
  object.spec = spec;
  object.is_new = true;
  if (spec.continuous) object.start = spec.position;
  if (spec.time_to_live_ticks != 0) object.expires_at = tick_ + 1 + spec.time_to_live_ticks;
  return {};
}

ChangeResult ReferenceWorld::reshape(ObjectId id, std::span<const Part> parts) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  const ChangeResult result = check(parts, object->spec.position);
  if (!result.ok()) return result;
  const std::set<LayerId> after = layer_set_of(parts);
  for (const LayerId layer : layer_set_of(object->spec.parts)) {
    if (!after.contains(layer)) object->layers_left.insert(layer);
  }
  object->spec.parts.assign(parts.begin(), parts.end());
  object->reshaped = true;
  return {};
}

ChangeResult ReferenceWorld::change_layer(ObjectId id, std::optional<std::uint32_t> part,
                                          std::uint32_t layer) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  std::vector<Part>& parts = object->spec.parts;
  const auto fault = static_cast<std::uint8_t>(part.value_or(0));
  if (part && *part >= parts.size()) return {ChangeError::kUnknownPart, fault};
  if (layer >= config_.layer_count) return {ChangeError::kUnknownLayer, fault};
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    if ((part && *part != i) || parts[i].layer == layer) continue;
    object->layers_left.insert(parts[i].layer);
    parts[i].layer = static_cast<LayerId>(layer);
  }
  return {};
}

ChangeResult ReferenceWorld::move_to(ObjectId id, Point position) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  const ChangeResult result = check(object->spec.parts, position);
  if (result.ok()) object->spec.position = position;
  return result;
}

ChangeResult ReferenceWorld::teleport_to(ObjectId id, Point position) {
  const ChangeResult result = move_to(id, position);
  if (result.ok()) find(id)->teleport = position;
  return result;
}

ChangeResult ReferenceWorld::freeze(ObjectId id) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  object->is_frozen = true;
  return {};
}

ChangeResult ReferenceWorld::release(ObjectId id) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  object->is_frozen = false;
  return {};
}

ChangeResult ReferenceWorld::set_owner(ObjectId id, OwnerId owner) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  object->spec.owner = owner;
  return {};
}

bool ReferenceWorld::scroll_to(Point origin) {
  if (!in_range(place(Part{config_.playfield}, origin.x, origin.y))) return false;
  origin_ = origin;
  return true;
}

ChangeResult ReferenceWorld::set_motion(ObjectId id, const Motion& motion) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  object->spec.motion = motion;
  return {};
}

ChangeResult ReferenceWorld::disable_until(ObjectId id, Tick until_tick) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  if (until_tick <= tick_ + 1) return {ChangeError::kTickInThePast};
  object->disabled_until = until_tick;
  return {};
}

ChangeResult ReferenceWorld::enable(ObjectId id) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  object->disabled_until = 0;
  return {};
}

ChangeResult ReferenceWorld::despawn(ObjectId id, ExitReason reason) {
  if (find(id) == nullptr) return {ChangeError::kUnknownObject};
  remove(id, reason);
  return {};
}

void ReferenceWorld::remove(ObjectId id, ExitReason reason) {
  Object object = objects_.at(id);
  object.removal = reason;
  gone_[id] = object;
  objects_.erase(id);
}

void ReferenceWorld::remove_by_world(const std::vector<ObjectId>& ids, ExitReason reason) {
  for (const ObjectId id : ids) {
    remove(id, reason);
    removed_by_world_.push_back(id);
  }
}

void ReferenceWorld::expire() {
  std::vector<ObjectId> expired;
  for (const auto& [id, object] : objects_) {
    if (object.expires_at == tick_) expired.push_back(id);
  }
  remove_by_world(expired, ExitReason::kExpired);
}

void ReferenceWorld::move_all() {
  std::vector<ObjectId> lost;
  for (auto& [id, object] : objects_) {
    if (object.is_frozen) continue;
    ObjectSpec& spec = object.spec;
    const std::int64_t velocity_x = std::int64_t{spec.motion.velocity.x} + spec.motion.acceleration.x;
    const std::int64_t velocity_y = std::int64_t{spec.motion.velocity.y} + spec.motion.acceleration.y;
    const std::int64_t x = spec.position.x + velocity_x;
    const std::int64_t y = spec.position.y + velocity_y;
    if (!in_range(velocity_x) || !in_range(velocity_y) || !in_range(x) || !in_range(y) ||
        !in_range(spec.parts, x, y)) {
      lost.push_back(id);
      object.step = {velocity_x, velocity_y};
      object.is_lost = true;
      continue;
    }
    spec.motion.velocity = {static_cast<Subunits>(velocity_x), static_cast<Subunits>(velocity_y)};
    spec.position = {static_cast<Subunits>(x), static_cast<Subunits>(y)};
    object.step = {velocity_x, velocity_y};
  }
  remove_by_world(lost, ExitReason::kLeftPlayfield);
}

void ReferenceWorld::remove_outside() {
  const WideBox playfield = place(Part{config_.playfield}, origin_.x, origin_.y);
  std::vector<ObjectId> outside;
  for (const auto& [id, object] : objects_) {
    const ObjectSpec& spec = object.spec;
    if (spec.despawn_outside_playfield &&
        std::all_of(spec.parts.begin(), spec.parts.end(),
                    [&](const Part& part) { return apart(place(part, spec), playfield); })) {
      outside.push_back(id);
    }
  }
  remove_by_world(outside, ExitReason::kLeftPlayfield);
}

void ReferenceWorld::enable_due() {
  for (auto& [id, object] : objects_) {
    if (object.disabled_until == tick_) object.disabled_until = 0;
  }
}

ReferenceWorld::Contacts ReferenceWorld::judge() const {
  Contacts contacts;
  for (auto first = objects_.begin(); first != objects_.end(); ++first) {
    for (auto second = std::next(first); second != objects_.end(); ++second) {
      const Object& a = first->second;
      const Object& b = second->second;
      if (a.disabled_until != 0 || b.disabled_until != 0) continue;
      for (std::size_t i = 0; i < a.spec.parts.size(); ++i) {
        for (std::size_t j = 0; j < b.spec.parts.size(); ++j) {
          const Part& part_a = a.spec.parts[i];
          const Part& part_b = b.spec.parts[j];
          if (!config_.matrix.allows(part_a.layer, part_b.layer)) continue;
          if (apart(place(part_a, a.spec), place(part_b, b.spec))) continue;
          if (!touch(place(part_a, a.spec.position, config_.masks),
                     place(part_b, b.spec.position, config_.masks))) {
            continue;
          }
          // The first pair found is the lowest; a later one on the same layers is not put in.
          contacts.try_emplace({first->first, second->first, part_a.layer, part_b.layer},
                               Contact{{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)}, tick_});
        }
      }
    }
  }
  return contacts;
}

/// Where it was, or was spawned, or was before its motion; where it is if its present parts had no room
/// there.
Point ReferenceWorld::begin_of(const Object& object) const {
  Point begin = object.spec.position;
  const bool is_enabled_now = !object.before && !object.is_new;
  if (object.teleport && !(is_enabled_now && config_.sweep_rules.enabling_passes_over_teleports)) {
    begin = *object.teleport;
  } else if (object.before) {
    begin = *object.before;
  } else if (object.start) {
    begin = *object.start;
  } else if (!object.is_lost) {
    begin = {static_cast<Subunits>(begin.x - object.step.x), static_cast<Subunits>(begin.y - object.step.y)};
  }
  return in_range(object.spec.parts, begin.x, begin.y) ? begin : object.spec.position;
}

Way ReferenceWorld::way_of(const Object& object) const {
  const Point begin = begin_of(object);
  const Point& now = object.spec.position;
  const Way beyond = object.is_lost ? object.step : Way{};
  return {std::int64_t{now.x} - begin.x + beyond.x, std::int64_t{now.y} - begin.y + beyond.y};
}

/// Whatever was not in contact and touches on its way. What has left is met on its way if it was there in the
/// tick before, or is continuous.
ReferenceWorld::Sweeps ReferenceWorld::sweep() const {
  Sweeps sweeps;
  std::map<ObjectId, Object> swept = objects_;
  for (const auto& [id, object] : gone_) {
    const Way way = way_of(object);
    const bool has_existed = object.spec.continuous || object.before;
    const bool is_met = way.x != 0 || way.y != 0 || config_.sweep_rules.meets_still_leavers;
    if (has_existed && is_met) swept[id] = object;
  }
  for (auto first = swept.begin(); first != swept.end(); ++first) {
    for (auto second = std::next(first); second != swept.end(); ++second) {
      const Object& a = first->second;
      const Object& b = second->second;
      if (a.disabled_until != 0 || b.disabled_until != 0) continue;
      if (a.spec.continuous || b.spec.continuous) sweep_pair(a, b, sweeps);
    }
  }
  return sweeps;
}

void ReferenceWorld::sweep_pair(const Object& a, const Object& b, Sweeps& sweeps) const {
  for (std::size_t i = 0; i < a.spec.parts.size(); ++i) {
    for (std::size_t j = 0; j < b.spec.parts.size(); ++j) {
      const Part& part_a = a.spec.parts[i];
      const Part& part_b = b.spec.parts[j];
      const EncounterKey key{a.spec.id, b.spec.id, part_a.layer, part_b.layer};
      if (!config_.matrix.allows(part_a.layer, part_b.layer) || contacts_.contains(key)) continue;
      const auto time = first_touch(place(part_a, begin_of(a), config_.masks), way_of(a),
                                    place(part_b, begin_of(b), config_.masks), way_of(b), 256);
      if (!time) continue;
      const PartPair parts{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
      Sweep& sweep = sweeps.try_emplace(key, Sweep{parts}).first->second;
      sweep.time = std::min(sweep.time, static_cast<TimeOfImpact>(*time));
    }
  }
}

ExitReason ReferenceWorld::reason_of(const EncounterKey& key) const {
  const auto any_of = [this](ObjectId id) -> const Object& {
    return objects_.contains(id) ? objects_.at(id) : gone_.at(id);
  };
  const Object& a = any_of(key.object_a);
  const Object& b = any_of(key.object_b);
  const auto removed = [&](ExitReason reason) { return a.removal == reason || b.removal == reason; };
  if (removed(ExitReason::kOwnerLeft)) return ExitReason::kOwnerLeft;
  if (removed(ExitReason::kDespawned)) return ExitReason::kDespawned;
  if (removed(ExitReason::kExpired)) return ExitReason::kExpired;
  if (removed(ExitReason::kLeftPlayfield)) return ExitReason::kLeftPlayfield;
  if (a.disabled_until != 0 || b.disabled_until != 0) return ExitReason::kDisabled;
  if (a.layers_left.contains(key.layer_a) || b.layers_left.contains(key.layer_b))
    return ExitReason::kLayerChanged;
  if (a.reshaped || b.reshaped) return ExitReason::kReshaped;
  return ExitReason::kMoved;
}

void ReferenceWorld::append(EventKind kind, ExitReason reason, const EncounterKey& key, PartPair parts,
                            std::vector<Event>& events, TimeOfImpact time) {
  events.push_back({++sequence_number_, tick_, kind, reason, key, parts, time});
}

std::vector<Event> ReferenceWorld::finish_tick() {
  ++tick_;
  removed_by_world_.clear();
  expire();
  move_all();
  remove_outside();
  enable_due();
  std::sort(removed_by_world_.begin(), removed_by_world_.end());

  Contacts contacts = judge();
  Sweeps sweeps = sweep();
  std::vector<Event> events;
  for (const auto& [key, contact] : contacts_) {
    if (!contacts.contains(key)) append(EventKind::kExit, reason_of(key), key, contact.parts, events);
  }
  Sweeps entered = sweeps;
  for (auto& [key, contact] : contacts) {
    const auto before = contacts_.find(key);
    if (before == contacts_.end()) {
      entered[key].parts = contact.parts;
    } else {
      contact.since_tick = before->second.since_tick;
    }
  }
  decide_outcome(contacts, entered);
  for (const auto& [key, sweep] : entered) {
    append(EventKind::kEnter, ExitReason::kNone, key, sweep.parts, events, sweep.time);
  }
  end_by_outcome(contacts, entered, events);
  contacts_ = std::move(contacts);
  gone_.clear();
  for (auto& [id, object] : objects_) {
    object.layers_left.clear();
    object.reshaped = false;
    object.is_new = false;
    object.start.reset();
    object.teleport.reset();
    object.step = {};
    object.before.reset();
    if (object.disabled_until == 0) object.before = object.spec.position;
  }
  return events;
}

std::vector<Event> ReferenceWorld::end() {
  ++tick_;
  std::vector<Event> events;
  for (const auto& [key, contact] : contacts_) {
    append(EventKind::kExit, ExitReason::kMatchEnded, key, contact.parts, events);
  }
  contacts_.clear();
  objects_.clear();
  destructions_.clear();
  return events;
}

std::vector<Encounter> ReferenceWorld::open_encounters() const {
  std::vector<Encounter> encounters;
  for (const auto& [key, contact] : contacts_) encounters.push_back({key, contact.parts, contact.since_tick});
  return encounters;
}

std::uint64_t ReferenceWorld::state_hash() const {
  std::uint64_t sum = 0;
  for (const auto& [id, object] : objects_) {
    const std::uint64_t x = static_cast<std::uint32_t>(object.spec.position.x);
    const std::uint64_t y = static_cast<std::uint32_t>(object.spec.position.y);
    sum += mix(mix(id) ^ (x * 4294967296ULL + y));
  }
  return sum;
}

}  // namespace sweepd::property
