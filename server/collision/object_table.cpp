// SPDX-License-Identifier: MIT
#include "collision/object_table.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::collision {
namespace {

constexpr std::uint32_t kNoRank = ~std::uint32_t{0};

std::uint64_t hash_of(const Object& object) {
  const std::uint64_t x = static_cast<std::uint32_t>(object.position.x);
  const std::uint64_t y = static_cast<std::uint32_t>(object.position.y);
  return base::mix_word(base::mix_word(object.id) ^ (x << 32 | y));
}

void forget_notes(Object& object) {
  object.changed = false;
  object.parts_changed = false;
  object.reshaped = false;
  object.layers_left = 0;
}

}  // namespace

Box bounds_of(std::span<const Part> parts) {
  SWEEPD_ASSERT(!parts.empty());
  Box bounds = parts[0].box;
  for (const Part& part : parts.subspan(1)) {
    bounds = {std::min(bounds.min_x, part.box.min_x), std::min(bounds.min_y, part.box.min_y),
              std::max(bounds.max_x, part.box.max_x), std::max(bounds.max_y, part.box.max_y)};
  }
  return bounds;
}

Object* ObjectTable::find_any(ObjectId id) {
  const ObjectSlot slot = slots_.find(id);
  return slot == slots_.kNone ? nullptr : &objects_[slot];
}

Object* ObjectTable::find(ObjectId id) {
  Object* object = find_any(id);
  return object != nullptr && object->alive ? object : nullptr;
}

const Object* ObjectTable::find(ObjectId id) const { return const_cast<ObjectTable*>(this)->find(id); }

ObjectSlot ObjectTable::take_slot() {
  if (free_slots_.empty()) {
    objects_.emplace_back();
    return static_cast<ObjectSlot>(objects_.size() - 1);
  }
  const ObjectSlot slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

Object& ObjectTable::create(const ObjectSpec& spec, Tick expires_at) {
  const ObjectSlot slot = take_slot();
  slots_.insert(spec.id, slot);
  Object& object = objects_[slot];
  SWEEPD_ASSERT(!object.alive && !object.changed && object.filed_parts == 0);
  std::vector<Part> parts = std::move(object.parts);  // Its memory is worth keeping.
  parts.assign(spec.parts.begin(), spec.parts.end());
  object = Object{};
  object.parts = std::move(parts);
  object.position = spec.position;
  object.bounds = bounds_of(object.parts);
  object.id = spec.id;
  object.owner = spec.owner;
  object.alive = true;
  object.despawn_outside_playfield = spec.despawn_outside_playfield;
  object.expires_at = expires_at;
  ++living_;
  set_motion(object, spec.motion);
  touch(object);
  return object;
}

void ObjectTable::remove(Object& object, ExitReason reason) {
  SWEEPD_ASSERT(object.alive && reason != ExitReason::kNone);
  object.alive = false;
  object.removal = reason;
  --living_;
  stop(object);
  touch(object);
}

void ObjectTable::set_motion(Object& object, const Motion& motion) {
  SWEEPD_ASSERT(object.alive);
  object.motion = motion;
  if (motion.is_still()) {
    stop(object);
  } else if (object.mover_rank == kNoRank) {
    object.mover_rank = static_cast<std::uint32_t>(movers_.size());
    movers_.push_back(slot_of(object));
  }
}

void ObjectTable::stop(Object& object) {
  if (object.mover_rank == kNoRank) return;
  SWEEPD_ASSERT(movers_[object.mover_rank] == slot_of(object));
  movers_[object.mover_rank] = movers_.back();
  objects_[movers_.back()].mover_rank = object.mover_rank;
  movers_.pop_back();
  object.mover_rank = kNoRank;
}

void ObjectTable::touch(Object& object) {
  if (object.changed) return;
  object.changed = true;
  changed_.push_back(slot_of(object));
}

void ObjectTable::finish_tick() {
  for (const ObjectSlot slot : changed_) {
    Object& object = objects_[slot];
    forget_notes(object);
    if (object.alive) continue;
    slots_.erase(object.id);
    free_slots_.push_back(slot);
  }
  changed_.clear();
}

void ObjectTable::clear() { *this = ObjectTable{}; }

std::vector<ObjectId> ObjectTable::ids_of(OwnerId owner) const {
  std::vector<ObjectId> ids;
  for (const Object& object : objects_) {
    if (object.alive && object.owner == owner) ids.push_back(object.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::uint64_t ObjectTable::state_hash() const {
  std::uint64_t sum = 0;
  for (const Object& object : objects_) {
    if (object.alive) sum += hash_of(object);
  }
  return sum;
}

void ObjectTable::validate() const {
  std::size_t living = 0;
  for (const Object& object : objects_) {
    if (!object.alive) continue;
    ++living;
    SWEEPD_ASSERT(slots_.find(object.id) == slot_of(object));
    SWEEPD_ASSERT(!object.parts.empty() && object.parts.size() <= kPartsMax);
    SWEEPD_ASSERT(object.bounds == bounds_of(object.parts));
    SWEEPD_ASSERT(translate(object.bounds, object.position).has_value());
    SWEEPD_ASSERT(object.motion.is_still() == (object.mover_rank == kNoRank));
  }
  SWEEPD_ASSERT(living == living_);
  for (std::size_t rank = 0; rank < movers_.size(); ++rank) {
    SWEEPD_ASSERT(objects_[movers_[rank]].alive && objects_[movers_[rank]].mover_rank == rank);
  }
}

}  // namespace sweepd::collision
