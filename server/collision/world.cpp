// SPDX-License-Identifier: MIT
#include "collision/world.h"

#include <algorithm>

#include "base/assert.h"
#include "collision/deadlines.h"
#include "collision/judge.h"
#include "collision/motion.h"
#include "collision/object_table.h"
#include "collision/part_check.h"

namespace sweepd::collision {
namespace {

std::uint64_t layers_of(std::span<const Part> parts) {
  std::uint64_t layers = 0;
  for (const Part& part : parts) layers |= std::uint64_t{1} << part.layer;
  return layers;
}

bool is_outside(const Object& object, const Box& playfield) {
  if (!overlap(*translate(object.bounds, object.position), playfield)) return true;
  if (object.parts.size() == 1) return false;
  return std::none_of(object.parts.begin(), object.parts.end(), [&](const Part& part) {
    return overlap(*translate(part.box, object.position), playfield);
  });
}

}  // namespace

/// Changes apply to the objects at once; what they mean for encounters is left to finish_tick, which looks at
/// the end result alone.
class World::Impl {
 public:
  explicit Impl(const WorldConfig& config)
      : layer_count_(config.layer_count),
        playfield_(config.playfield),
        judge_(config.broadphase, config.matrix) {
    SWEEPD_ASSERT(layer_count_ >= 1 && layer_count_ <= kLayersMax);
    SWEEPD_ASSERT(!is_inverted(playfield_));
  }

  ChangeResult spawn(const ObjectSpec& spec);
  ChangeResult reshape(ObjectId id, std::span<const Part> parts);
  ChangeResult change_layer(ObjectId id, std::optional<std::uint32_t> part, std::uint32_t layer);
  ChangeResult move_to(ObjectId id, Point position);
  ChangeResult set_motion(ObjectId id, const Motion& motion);
  ChangeResult disable_until(ObjectId id, Tick until_tick);
  ChangeResult enable(ObjectId id);
  ChangeResult despawn(ObjectId id, ExitReason reason);

  std::span<const Event> finish_tick();
  std::span<const Event> end();

  Tick tick() const { return tick_; }
  const ObjectTable& objects() const { return objects_; }
  const Judge& judge() const { return judge_; }
  std::span<const ObjectId> removed_by_world() const { return removed_by_world_; }

 private:
  Object* find(ObjectId id);
  void remove(Object& object, ExitReason reason);
  void expire();
  void move_movers();
  void remove_outside();
  void enable_due();
  void validate() const;

  std::uint32_t layer_count_;
  Box playfield_;
  Tick tick_ = 0;
  bool ended_ = false;
  ObjectTable objects_;
  Deadlines expiries_{[](const Object& object) { return object.expires_at; }};
  Deadlines enables_{[](const Object& object) { return object.disabled_until; }};
  Judge judge_;
  std::vector<ObjectId> removed_by_world_;
};

Object* World::Impl::find(ObjectId id) {
  SWEEPD_ASSERT(!ended_);
  return objects_.find(id);
}

ChangeResult World::Impl::spawn(const ObjectSpec& spec) {
  SWEEPD_ASSERT(!ended_ && spec.id != 0);
  if (const Object* holder = objects_.find_any(spec.id)) {
    return {holder->alive ? ChangeError::kIdInUse : ChangeError::kIdUsedThisTick};
  }
  const ChangeResult result = check_parts(spec.parts, spec.position, layer_count_);
  if (!result.ok()) return result;
  const Tick expires_at = spec.time_to_live_ticks == 0 ? kForever : tick_ + 1 + spec.time_to_live_ticks;
  expiries_.add(objects_.create(spec, expires_at), objects_);
  return {};
}

ChangeResult World::Impl::reshape(ObjectId id, std::span<const Part> parts) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  const ChangeResult result = check_parts(parts, object->position, layer_count_);
  if (!result.ok()) return result;
  object->layers_left |= layers_of(object->parts) & ~layers_of(parts);
  object->parts = std::vector<Part>(parts.begin(), parts.end());  // `parts` may be a view of the old ones.
  object->bounds = bounds_of(object->parts);
  object->parts_changed = true;
  object->reshaped = true;
  objects_.touch(*object);
  return {};
}

ChangeResult World::Impl::change_layer(ObjectId id, std::optional<std::uint32_t> part, std::uint32_t layer) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  const auto fault = static_cast<std::uint8_t>(std::min<std::uint32_t>(part.value_or(0), 255));
  if (part && *part >= object->parts.size()) return {ChangeError::kUnknownPart, fault};
  if (layer >= layer_count_) return {ChangeError::kUnknownLayer, fault};
  const std::span<Part> parts = object->parts;
  for (Part& moved : part ? parts.subspan(*part, 1) : parts) {
    if (moved.layer == layer) continue;
    object->layers_left |= std::uint64_t{1} << moved.layer;
    moved.layer = static_cast<LayerId>(layer);
    object->parts_changed = true;
  }
  objects_.touch(*object);
  return {};
}

ChangeResult World::Impl::move_to(ObjectId id, Point position) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  if (!translate(object->bounds, position)) return check_range(object->parts, position);
  object->position = position;
  objects_.touch(*object);
  return {};
}

ChangeResult World::Impl::set_motion(ObjectId id, const Motion& motion) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  objects_.set_motion(*object, motion);
  return {};
}

ChangeResult World::Impl::disable_until(ObjectId id, Tick until_tick) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  if (until_tick <= tick_ + 1) return {ChangeError::kTickInThePast};
  object->disabled_until = until_tick;
  enables_.add(*object, objects_);
  objects_.touch(*object);
  return {};
}

ChangeResult World::Impl::enable(ObjectId id) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  object->disabled_until = 0;
  objects_.touch(*object);
  return {};
}

ChangeResult World::Impl::despawn(ObjectId id, ExitReason reason) {
  SWEEPD_ASSERT(reason == ExitReason::kDespawned || reason == ExitReason::kOwnerLeft);
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  objects_.remove(*object, reason);
  return {};
}

std::span<const Event> World::Impl::finish_tick() {
  SWEEPD_ASSERT(!ended_);
  ++tick_;
  removed_by_world_.clear();
  expire();
  move_movers();
  remove_outside();
  enable_due();
  std::sort(removed_by_world_.begin(), removed_by_world_.end());
  const std::span<const Event> events = judge_.judge(objects_, tick_);
  objects_.finish_tick();
  validate();
  return events;
}

void World::Impl::remove(Object& object, ExitReason reason) {
  removed_by_world_.push_back(object.id);
  objects_.remove(object, reason);
}

void World::Impl::expire() {
  while (Object* object = expiries_.take(tick_, objects_)) remove(*object, ExitReason::kExpired);
}

void World::Impl::move_movers() {
  // Backwards: removing a mover puts the last one, which had its turn, in its place.
  for (std::size_t rank = objects_.movers().size(); rank-- > 0;) {
    Object& object = objects_[objects_.movers()[rank]];
    if (advance(object)) {
      objects_.touch(object);
    } else {
      remove(object, ExitReason::kLeftPlayfield);
    }
  }
}

/// Only what changed in this tick can have left: the playfield stands still.
void World::Impl::remove_outside() {
  for (const ObjectSlot slot : objects_.changed()) {
    Object& object = objects_[slot];
    if (!object.alive || !object.despawn_outside_playfield) continue;
    if (is_outside(object, playfield_)) remove(object, ExitReason::kLeftPlayfield);
  }
}

void World::Impl::enable_due() {
  while (Object* object = enables_.take(tick_, objects_)) {
    object->disabled_until = 0;
    objects_.touch(*object);
  }
}

std::span<const Event> World::Impl::end() {
  SWEEPD_ASSERT(!ended_);
  ended_ = true;
  ++tick_;
  removed_by_world_.clear();
  objects_.clear();
  expiries_.clear();
  enables_.clear();
  return judge_.end(tick_);
}

void World::Impl::validate() const {
#if SWEEPD_COSTLY_CHECKS
  objects_.validate();
  judge_.validate();
#endif
}

World::World(const WorldConfig& config) : impl_(std::make_unique<Impl>(config)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

ChangeResult World::spawn(const ObjectSpec& spec) { return impl_->spawn(spec); }
ChangeResult World::reshape(ObjectId id, std::span<const Part> parts) { return impl_->reshape(id, parts); }
ChangeResult World::change_layer(ObjectId id, std::optional<std::uint32_t> part, std::uint32_t layer) {
  return impl_->change_layer(id, part, layer);
}
ChangeResult World::move_to(ObjectId id, Point position) { return impl_->move_to(id, position); }
ChangeResult World::set_motion(ObjectId id, const Motion& motion) { return impl_->set_motion(id, motion); }
ChangeResult World::disable_until(ObjectId id, Tick until_tick) {
  return impl_->disable_until(id, until_tick);
}
ChangeResult World::enable(ObjectId id) { return impl_->enable(id); }
ChangeResult World::despawn(ObjectId id, ExitReason reason) { return impl_->despawn(id, reason); }
std::span<const Event> World::finish_tick() { return impl_->finish_tick(); }
std::span<const Event> World::end() { return impl_->end(); }

Tick World::tick() const { return impl_->tick(); }
std::uint64_t World::last_sequence_number() const { return impl_->judge().last_sequence_number(); }
std::size_t World::object_count() const { return impl_->objects().size(); }

std::optional<ObjectView> World::find(ObjectId id) const {
  const Object* object = impl_->objects().find(id);
  if (object == nullptr) return std::nullopt;
  return ObjectView{object->id,    object->owner,          object->position,  object->motion,
                    object->parts, object->disabled_until, object->expires_at};
}

std::vector<ObjectId> World::objects_of(OwnerId owner) const { return impl_->objects().ids_of(owner); }
std::span<const ObjectId> World::removed_by_world() const { return impl_->removed_by_world(); }
std::size_t World::encounter_count() const { return impl_->judge().encounters().size(); }
std::vector<Encounter> World::open_encounters() const { return impl_->judge().encounters().sorted(); }
std::uint64_t World::state_hash() const { return impl_->objects().state_hash(); }

}  // namespace sweepd::collision
