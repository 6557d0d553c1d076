// SPDX-License-Identifier: MIT
#include "collision/object_table.h"

#include <algorithm>

#include "base/assert.h"
#include "base/hash.h"

namespace sweepd::collision {
namespace {

std::uint64_t hash_of(const Object& object) {
  const std::uint64_t x = static_cast<std::uint32_t>(object.position.x);
  const std::uint64_t y = static_cast<std::uint32_t>(object.position.y);
  return base::mix_word(base::mix_word(object.id) ^ (x << 32 | y));
}

}  // namespace

ObjectSlot ObjectTable::take_slot() {
  if (free_slots_.empty()) {
    base::append_tightly(objects_);
    return static_cast<ObjectSlot>(objects_.size() - 1);
  }
  const ObjectSlot slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

Object& ObjectTable::create(const ObjectSpec& spec) {
  const ObjectSlot slot = take_slot();
  Object& object = objects_[slot];
  SWEEPD_ASSERT(!object.is_alive && !object.is_changed && !object.is_filed);
  object = Object{};
  object.position = spec.position;
  object.id = spec.id;
  object.owner = spec.owner;
  object.is_alive = true;
  object.is_new = true;
  object.is_continuous = spec.continuous;
  object.is_single_use = spec.single_use;
  object.despawn_outside_playfield = spec.despawn_outside_playfield;
  object.part_count = static_cast<std::uint8_t>(spec.parts.size());
  object.first_part = parts_.add(slot, spec.parts);
  slots_.insert(spec.id, slot, id_at());
  ++living_;
  living_parts_ += object.part_count;
  if (spec.continuous) {
    continuous_.push_back(slot);
    starts_.push_back({slot, spec.position});
  }
  set_vitals(object, spec);
  if (spec.tag != 0) tags_.add(spec.id, spec.tag);
  set_motion(object, spec.motion);
  touch(object);
  return object;
}

void ObjectTable::set_vitals(Object& object, const ObjectSpec& spec) {
  object.has_vitals = spec.hit_points > 0 || spec.damage > 0;
  if (object.has_vitals) vitals_.add(object.id, {spec.hit_points, spec.damage});
  if (object.has_vitals || object.is_single_use) ++acting_;
}

void ObjectTable::remove(Object& object, ExitReason reason) {
  SWEEPD_ASSERT(object.is_alive && reason != ExitReason::kNone);
  object.is_alive = false;
  object.removal = reason;
  --living_;
  living_parts_ -= object.part_count;
  motions_.clear(slot_of(object));
  touch(object);
}

void ObjectTable::remove_with_last_tick(Object& object, ExitReason reason) {
  SWEEPD_ASSERT(!object.is_changed);
  remove(object, reason);
  forget(object);
  object.is_ghost = true;
}

/// All that is known by its id.
void ObjectTable::forget(Object& object) {
  slots_.erase(object.id, id_at());
  if (object.has_vitals) vitals_.erase(object.id);
  if (tag_of(object.id) != 0) tags_.erase(object.id);
  if (object.is_frozen) frozen_.erase(object.id);
  object.is_frozen = false;
  if (object.has_vitals || object.is_single_use) --acting_;
}

void ObjectTable::note_last_step(const LastStep& step) {
  // What was never judged and is not continuous never existed.
  const Object& object = objects_[step.slot];
  if (has_any_to_sweep() && (object.is_continuous_now() || object.was_judged)) last_steps_.push_back(step);
}

bool ObjectTable::is_outside(const Object& object, const Box& box) const {
  if (!overlap(placed(bounds_of(object), object.position), box)) return true;
  if (object.part_count == 1) return false;
  return std::ranges::none_of(
      parts_of(object), [&](const Part& part) { return overlap(placed(part.box, object.position), box); });
}

/// The new parts get handles of their own: the broadphase must not see one go and come in the same tick.
void ObjectTable::replace_parts(Object& object, std::span<const Part> parts) {
  if (object.is_filed) withdrawn_.push_back({object.first_part, object.part_count});
  object.is_filed = false;
  parts_.release(object.first_part, object.part_count);
  living_parts_ += parts.size() - object.part_count;
  object.part_count = static_cast<std::uint8_t>(parts.size());
  object.first_part = parts_.add(slot_of(object), parts);
  touch(object);
}

void ObjectTable::set_motion(Object& object, const Motion& motion) {
  SWEEPD_ASSERT(object.is_alive);
  if (object.is_frozen) {
    *frozen_.find(object.id) = motion;
  } else {
    move_by_itself(object, motion);
  }
}

void ObjectTable::sweep(Object& object) {
  if (object.is_continuous_now()) return;
  object.is_swept = true;
  swept_.push_back(slot_of(object));
}

void ObjectTable::move_by_itself(Object& object, const Motion& motion) {
  note_change(object, ChangeKind::kSteered);
  motions_.set(slot_of(object), motion);
}

Motion ObjectTable::motion_of(const Object& object) const {
  if (object.is_frozen) return *frozen_.find(object.id);
  return motions_.at(slot_of(object));
}

void ObjectTable::freeze(Object& object) {
  if (object.is_frozen) return;
  frozen_.add(object.id, motion_of(object));
  object.is_frozen = true;
  note_change(object, ChangeKind::kSteered);
  motions_.clear(slot_of(object));
}

void ObjectTable::release(Object& object) {
  if (!object.is_frozen) return;
  const Motion motion = motion_of(object);
  frozen_.erase(object.id);
  object.is_frozen = false;
  move_by_itself(object, motion);
}

void ObjectTable::teleport(Object& object, Point position) {
  object.position = position;
  starts_.push_back({slot_of(object), position});
  touch(object);
}

void ObjectTable::note_left_layers(Object& object, std::uint64_t layers) {
  if (layers == 0) return;
  object.has_left_layers = true;
  left_layers_.push_back({slot_of(object), layers});
}

void ObjectTable::sort_left_layers() { std::ranges::sort(left_layers_, {}, &LeftLayers::slot); }

bool ObjectTable::has_left_layer(const Object& object, LayerId layer) const {
  if (!object.has_left_layers) return false;
  const ObjectSlot slot = slot_of(object);
  auto left = std::ranges::lower_bound(left_layers_, slot, {}, &LeftLayers::slot);
  for (; left != left_layers_.end() && left->slot == slot; ++left) {
    if ((left->layers >> layer & 1) != 0) return true;
  }
  return false;
}

bool ObjectTable::is_between_ticks() const {
  const auto is_ghost = [this](ObjectSlot slot) { return objects_[slot].is_ghost; };
  return std::ranges::all_of(changed_, is_ghost) && starts_.empty() && withdrawn_.empty() && swept_.empty();
}

void ObjectTable::finish_tick() {
  is_calm_ = changed_.size() < objects_.size() / 8;
  if (is_calm_) {
    note_stale_hashes();
  } else {
    hash_blocks_.clear();
  }
  std::erase_if(continuous_, [&](ObjectSlot slot) { return !objects_[slot].is_alive; });
  for (const ObjectSlot slot : swept_) objects_[slot].is_swept = false;
  swept_.clear();
  for (const ObjectSlot slot : changed_) {
    Object& object = objects_[slot];
    object.is_changed = false;
    object.is_new = false;
    object.is_reshaped = false;
    object.has_left_layers = false;
    object.change = ChangeKind::kMovedOn;
    if (object.is_alive) continue;
    if (!object.is_ghost) forget(object);
    parts_.release(object.first_part, object.part_count);
    free_slots_.push_back(slot);
  }
  changed_.clear();
  left_layers_.clear();
  withdrawn_.clear();
  starts_.clear();
  last_steps_.clear();
  parts_.recycle();
}

void ObjectTable::clear() { *this = ObjectTable{}; }

std::vector<ObjectId> ObjectTable::ids() const {
  std::vector<ObjectId> ids;
  ids.reserve(living_);
  for (const Object& object : objects_) {
    if (object.is_alive) ids.push_back(object.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<ObjectId> ObjectTable::ids_of(OwnerId owner) const {
  std::vector<ObjectId> ids;
  for (const Object& object : objects_) {
    if (object.is_alive && object.owner == owner) ids.push_back(object.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

bool ObjectTable::has_any_in(ObjectId first, ObjectId last) const {
  return std::ranges::any_of(objects_, [&](const Object& object) {
    return object.is_alive && object.id >= first && object.id <= last;
  });
}

std::uint64_t ObjectTable::hash_of_slots(std::size_t begin, std::size_t count) const {
  std::uint64_t sum = 0;
  for (const Object& object : std::span(objects_).subspan(begin, std::min(count, objects_.size() - begin))) {
    if (object.is_alive) sum += hash_of(object);
  }
  return sum;
}

void ObjectTable::note_stale_hashes() const {
  hash_blocks_.resize((objects_.size() + kHashBlockSlots - 1) / kHashBlockSlots);
  for (const ObjectSlot slot : changed_) hash_blocks_[slot / kHashBlockSlots].is_stale = true;
}

std::uint64_t ObjectTable::state_hash() const {
  if (!is_calm_) return hash_of_slots(0, objects_.size());
  note_stale_hashes();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < hash_blocks_.size(); ++i) {
    HashBlock& block = hash_blocks_[i];
    if (block.is_stale) block = {hash_of_slots(i * kHashBlockSlots, kHashBlockSlots), false};
    sum += block.hash;
  }
  return sum;
}

void ObjectTable::validate() const {
  std::size_t living = 0;
  for (const Object& object : objects_) {
    if (!object.is_alive) continue;
    ++living;
    SWEEPD_ASSERT(slots_.find(object.id, id_at()) == slot_of(object));
    SWEEPD_ASSERT(object.part_count > 0 && object.part_count <= kPartsMax);
    SWEEPD_ASSERT(bounds_of(object) == collision::bounds_of(parts_of(object)));
    SWEEPD_ASSERT(translate(bounds_of(object), object.position).has_value());
    for (std::uint32_t part = 0; part < object.part_count; ++part) {
      const PartOwner owner = parts_.owner(object.first_part + part);
      SWEEPD_ASSERT(owner.object == slot_of(object) && owner.part == part);
    }
  }
  SWEEPD_ASSERT(living == living_);
  std::vector<bool> is_stale(objects_.size() / kHashBlockSlots + 1);
  for (const ObjectSlot slot : changed_) is_stale[slot / kHashBlockSlots] = true;
  for (std::size_t i = 0; i < hash_blocks_.size(); ++i) {
    const HashBlock& block = hash_blocks_[i];
    SWEEPD_ASSERT(is_stale[i] || block.is_stale ||
                  block.hash == hash_of_slots(i * kHashBlockSlots, kHashBlockSlots));
  }
  for (ObjectSlot slot = 0; slot < objects_.size(); ++slot) {
    SWEEPD_ASSERT(!motions_.has(slot) ||
                  (objects_[slot].is_alive && !objects_[slot].is_frozen && !motions_.at(slot).is_still()));
  }
}

}  // namespace sweepd::collision
