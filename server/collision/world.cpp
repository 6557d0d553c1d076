// SPDX-License-Identifier: MIT
#include "collision/world.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "collision/contact_manager.h"
#include "collision/deadlines.h"
#include "collision/motion.h"
#include "collision/object_codec.h"
#include "collision/object_table.h"
#include "collision/part_check.h"

namespace sweepd::collision {

/// Changes apply to the objects at once. What they mean for encounters, finish_tick finds in the end result.
class World::Impl {
 public:
  explicit Impl(const WorldConfig& config)
      : layer_count_(config.layer_count),
        playfield_(config.playfield),
        masks_(config.masks),
        outcomes_(config.contact_rules),
        contacts_({config.broadphase, config.matrix, config.sector_grid, config.budget.overlapping_pairs_max},
                  masks_, config.budget, config.sweep_rules) {
    SWEEPD_ASSERT(masks_.size() <= kMasksMax);
    SWEEPD_ASSERT(layer_count_ >= 1 && layer_count_ <= kLayersMax);
    SWEEPD_ASSERT(!is_inverted(playfield_));
  }

  ChangeResult spawn(const ObjectSpec& spec);
  ChangeResult reshape(ObjectId id, std::span<const Part> parts);
  ChangeResult change_layer(ObjectId id, std::optional<std::uint32_t> part, std::uint32_t layer);
  ChangeResult move_to(ObjectId id, Point position);
  ChangeResult teleport_to(ObjectId id, Point position);
  void sweep(ObjectId id) { objects_.sweep(*find(id)); }
  ChangeResult set_motion(ObjectId id, const Motion& motion);
  ChangeResult freeze(ObjectId id) {
    return change(objects_.find_next(id), [this](Object& object) { objects_.freeze(object); });
  }
  ChangeResult release(ObjectId id) {
    return change(objects_.find_next(id), [this](Object& object) { objects_.release(object); });
  }
  ChangeResult set_owner(ObjectId id, OwnerId owner);
  bool scroll_to(Point origin);
  void strike(const EncounterKey& key);
  ChangeResult disable_until(ObjectId id, Tick until_tick);
  ChangeResult enable(ObjectId id);
  ChangeResult despawn(ObjectId id, ExitReason reason);

  std::span<Event> finish_tick(TickObserver* observer);
  std::span<Event> end();
  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

  Tick tick() const { return tick_; }
  std::uint64_t state_hash() const { return objects_.state_hash(); }
  const ObjectTable& objects() const { return objects_; }
  std::optional<ObjectView> view(ObjectId id) const;
  const ContactManager& contacts() const { return contacts_; }
  std::span<const BitMask> masks() const { return masks_; }
  Queries queries() const { return {objects_, contacts_.broadphase(), contacts_.encounters(), masks_}; }
  OwnedSlot find_next(ObjectId id) {
    const Object* object = objects_.find_next(id);
    return object == nullptr ? OwnedSlot() : OwnedSlot{object->owner, objects_.slot_of(*object)};
  }
  std::span<const RemovedObject> removed_by_world() const { return removed_by_world_; }
  const Outcomes& outcomes() const { return outcomes_; }
  Point playfield_origin() const { return origin_; }

 private:
  void restore_object(base::ByteReader& reader, const ObjectRecord& record);
  Box playfield() const { return placed(playfield_, origin_); }
  PartLimits limits() const { return {layer_count_, masks_}; }
  Object* find(ObjectId id);
  static ChangeResult change(Object* object, const auto& change) {
    if (object == nullptr) return {ChangeError::kUnknownObject};
    change(*object);
    return {};
  }
  void note_removed(const Object& object) {
    removed_by_world_.push_back({object.id, {object.owner, object.part_count, objects_.slot_of(object)}});
  }
  void remove_itself(Object& object, ExitReason reason);
  void remove(Object& object, ExitReason reason);
  /// Of the living.
  auto slot_of() const {
    return [this](ObjectId id) {
      const Object* object = objects_.find(id);
      return object == nullptr ? kNoSlot : objects_.slot_of(*object);
    };
  }
  void clear_deadlines(const Object& object);
  void enable(Object& object);
  void expire();
  void move_movers();
  void remove_outside();
  void remove_if_outside(ObjectSlot slot);
  void remove_by_outcome();
  void enable_due();
  void validate() const;

  std::uint32_t layer_count_;
  Box playfield_;
  Point origin_;
  bool has_scrolled_ = false;  // In the tick in progress.
  std::vector<BitMask> masks_;
  Outcomes outcomes_;
  Tick tick_ = 0;
  bool ended_ = false;
  ObjectTable objects_;
  Deadlines expiries_;
  Deadlines enables_;
  ContactManager contacts_;
  std::vector<RemovedObject> removed_by_world_;
  std::vector<Part> new_parts_;  // Kept for its memory only.
};

Object* World::Impl::find(ObjectId id) {
  SWEEPD_ASSERT(!ended_);
  return objects_.find(id);
}

ChangeResult World::Impl::spawn(const ObjectSpec& spec) {
  SWEEPD_ASSERT(!ended_ && spec.id != 0);
  if (const Object* holder = objects_.find_any(spec.id)) {
    return {holder->is_alive ? ChangeError::kIdInUse : ChangeError::kIdUsedThisTick};
  }
  const ChangeResult result = check_parts(spec.parts, spec.position, limits());
  if (!result.ok()) return result;
  Object& object = objects_.create(spec);
  if (spec.time_to_live_ticks != 0) {
    object.has_expiry = true;
    expiries_.set(spec.id, tick_ + 1 + spec.time_to_live_ticks, slot_of());
  }
  return {};
}

ChangeResult World::Impl::reshape(ObjectId id, std::span<const Part> parts) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  const ChangeResult result = check_parts(parts, object->position, limits());
  if (!result.ok()) return result;
  objects_.note_left_layers(*object, layers_of(objects_.parts_of(*object)) & ~layers_of(parts));
  new_parts_.assign(parts.begin(), parts.end());  // `parts` may be a view of the present ones.
  objects_.replace_parts(*object, new_parts_);
  object->is_reshaped = true;
  return {};
}

ChangeResult World::Impl::change_layer(ObjectId id, std::optional<std::uint32_t> part, std::uint32_t layer) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  const auto fault = static_cast<std::uint8_t>(std::min<std::uint32_t>(part.value_or(0), 255));
  if (part && *part >= object->part_count) return {ChangeError::kUnknownPart, fault};
  if (layer >= layer_count_) return {ChangeError::kUnknownLayer, fault};
  const std::span<const Part> parts = objects_.parts_of(*object);
  new_parts_.assign(parts.begin(), parts.end());
  std::uint64_t left = 0;
  for (Part& moved : part ? std::span(new_parts_).subspan(*part, 1) : std::span(new_parts_)) {
    if (moved.layer == layer) continue;
    left |= std::uint64_t{1} << moved.layer;
    moved.layer = static_cast<LayerId>(layer);
  }
  if (left == 0) return {};
  objects_.note_left_layers(*object, left);
  objects_.replace_parts(*object, new_parts_);
  return {};
}

ChangeResult World::Impl::move_to(ObjectId id, Point position) {
  SWEEPD_ASSERT(!ended_);
  Object* object = objects_.find_next(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  objects_.prefetch_after(*object);
  if (!translate(objects_.bounds_of(*object), position))
    return check_range(objects_.parts_of(*object), position);
  object->position = position;
  objects_.touch_placed(*object);
  return {};
}

ChangeResult World::Impl::teleport_to(ObjectId id, Point position) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  if (!translate(objects_.bounds_of(*object), position))
    return check_range(objects_.parts_of(*object), position);
  objects_.teleport(*object, position);
  return {};
}

ChangeResult World::Impl::set_owner(ObjectId id, OwnerId owner) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  object->owner = owner;
  objects_.touch(*object);
  return {};
}

bool World::Impl::scroll_to(Point origin) {
  SWEEPD_ASSERT(!ended_);
  if (!translate(playfield_, origin)) return false;
  origin_ = origin;
  has_scrolled_ = true;
  return true;
}

void World::Impl::strike(const EncounterKey& key) {
  SWEEPD_ASSERT(find(key.object_a) != nullptr && find(key.object_b) != nullptr &&
                key.object_a < key.object_b);
  outcomes_.strike(key);
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
  object->is_disabled = true;
  enables_.set(id, until_tick, slot_of());
  objects_.touch(*object);
  return {};
}

ChangeResult World::Impl::enable(ObjectId id) {
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  enables_.clear(objects_.slot_of(*object));
  enable(*object);
  return {};
}

ChangeResult World::Impl::despawn(ObjectId id, ExitReason reason) {
  SWEEPD_ASSERT(reason == ExitReason::kDespawned || reason == ExitReason::kOwnerLeft);
  Object* object = find(id);
  if (object == nullptr) return {ChangeError::kUnknownObject};
  remove(*object, reason);
  return {};
}

std::span<Event> World::Impl::finish_tick(TickObserver* observer) {
  SWEEPD_ASSERT(!ended_);
  ++tick_;
  removed_by_world_.clear();
  expire();
  move_movers();
  remove_outside();
  enable_due();
  const std::span<Enter> enters = contacts_.find(objects_, tick_);
  if (contacts_.excess() != Excess::kNone) return {};
  outcomes_.resolve(objects_, contacts_.encounters(), enters, tick_);
  const std::span<Event> events = contacts_.report(objects_, outcomes_, tick_);
  if (observer != nullptr) {
    observer->on_tick({objects_, contacts_.ended(), contacts_.ended_by_outcome(), outcomes_, tick_});
  }
  objects_.finish_tick();
  remove_by_outcome();
  std::ranges::sort(removed_by_world_, {}, &RemovedObject::id);
  validate();
  return events;
}

/// Last, so that the tick is over for the objects that it removes, and their ids are free in the next one.
void World::Impl::remove_by_outcome() {
  for (const ObjectId id : outcomes_.removed()) {
    Object& object = *objects_.find(id);
    note_removed(object);
    clear_deadlines(object);
    objects_.remove_with_last_tick(object, ExitReason::kConsumed);
  }
}

void World::Impl::remove(Object& object, ExitReason reason) {
  clear_deadlines(object);
  objects_.remove(object, reason);
}

void World::Impl::clear_deadlines(const Object& object) {
  if (object.has_expiry) expiries_.clear(objects_.slot_of(object));
  if (object.is_disabled) enables_.clear(objects_.slot_of(object));
}

/// What no frame asked for.
void World::Impl::remove_itself(Object& object, ExitReason reason) {
  note_removed(object);
  remove(object, reason);
}

void World::Impl::enable(Object& object) {
  object.is_disabled = false;
  objects_.touch(object);
}

void World::Impl::expire() {
  while (const ObjectId id = expiries_.take(tick_, slot_of())) {
    Object& object = *objects_.find(id);
    object.has_expiry = false;
    remove_itself(object, ExitReason::kExpired);
  }
}

void World::Impl::move_movers() {
  MotionTable& motions = objects_.motions();
  motions.for_each([&](ObjectSlot slot) {
    Object& object = objects_[slot];
    Motion motion = motions.at(slot);
    if (advance(object.position, motion, objects_.bounds_of(object))) {
      motions.set_velocity(slot, motion.velocity);
      objects_.touch_moved(object);
    } else {
      objects_.note_last_step({slot, std::int64_t{motion.velocity.x} + motion.acceleration.x,
                               std::int64_t{motion.velocity.y} + motion.acceleration.y, false});
      remove_itself(object, ExitReason::kLeftPlayfield);
    }
  });
}

/// Where the playfield stood still, only what changed in this tick can have left it.
void World::Impl::remove_outside() {
  if (std::exchange(has_scrolled_, false)) {
    for (ObjectSlot slot = 0; slot < objects_.slot_count(); ++slot) remove_if_outside(slot);
  } else {
    for (const ObjectSlot slot : objects_.changed()) remove_if_outside(slot);
  }
}

void World::Impl::remove_if_outside(ObjectSlot slot) {
  Object& object = objects_[slot];
  if (!object.is_alive || !object.despawn_outside_playfield || !objects_.is_outside(object, playfield()))
    return;
  const Point step = objects_.step_of(object);
  objects_.note_last_step({slot, step.x, step.y, true});
  remove_itself(object, ExitReason::kLeftPlayfield);
}

void World::Impl::enable_due() {
  while (const ObjectId id = enables_.take(tick_, slot_of())) enable(*objects_.find(id));
}

std::optional<ObjectView> World::Impl::view(ObjectId id) const {
  const Object* object = objects_.find(id);
  if (object == nullptr) return std::nullopt;
  const Vitals vitals = object->has_vitals ? *objects_.vitals_of(id) : Vitals{};
  return ObjectView{id,
                    object->owner,
                    object->position,
                    objects_.motion_of(*object),
                    objects_.parts_of(*object),
                    enables_.find(objects_.slot_of(*object)).value_or(0),
                    expiries_.find(objects_.slot_of(*object)).value_or(kForever),
                    vitals.hit_points,
                    vitals.damage,
                    object->despawn_outside_playfield,
                    object->is_continuous,
                    object->is_single_use,
                    object->is_frozen,
                    objects_.tag_of(id)};
}

std::span<Event> World::Impl::end() {
  SWEEPD_ASSERT(!ended_);
  ended_ = true;
  if (contacts_.excess() == Excess::kNone) ++tick_;
  removed_by_world_.clear();
  objects_.clear();
  expiries_.clear();
  enables_.clear();
  outcomes_.clear();
  return contacts_.end(tick_);
}

/// Names every member: a new one does not compile until it is saved, or found to need no saving.
void World::Impl::save(base::ByteWriter& writer) const {
  const auto& [layer_count, playfield, origin, has_scrolled, masks, outcomes, tick, ended, objects, expiries,
               enables, contacts, removed_by_world, new_parts] = *this;
  SWEEPD_ASSERT(!ended && !has_scrolled && !outcomes.has_strikes() && objects.is_between_ticks());
  writer.number(tick);
  writer.number(contacts.last_sequence_number());
  write(writer, origin);
  writer.number(objects.size());
  ObjectWriter object_writer(tick);
  for (const ObjectId id : objects.ids()) object_writer.write(writer, *view(id));
  const std::vector<Encounter> open = contacts.encounters().sorted();
  writer.number(open.size());
  for (const Encounter& encounter : open) writer.number(tick - encounter.since_tick);
}

/// Objects get their slots by id. Which of them are in contact is found out anew; only since when is not.
void World::Impl::restore(base::ByteReader& reader) {
  SWEEPD_ASSERT(tick_ == 0 && objects_.slot_count() == 0);
  tick_ = reader.number(kTickMax);
  contacts_.continue_after(reader.number());
  origin_ = read_point(reader);
  if (!reader.require(translate(playfield_, origin_).has_value(),
                      "is a playfield beyond the range of coordinates"))
    return;
  const std::size_t count = reader.count(kObjectBytesMin);
  ObjectReader object_reader(tick_);
  for (std::size_t i = 0; i < count && reader.ok(); ++i) restore_object(reader, object_reader.read(reader));
  if (!reader.ok()) return;
  contacts_.restore(objects_, reader, tick_);
  objects_.finish_tick();
  if (reader.ok()) validate();
}

void World::Impl::restore_object(base::ByteReader& reader, const ObjectRecord& record) {
  const auto& [spec, disabled_until, expires_at, is_frozen] = record;
  if (!reader.require(check_parts(spec.parts, spec.position, limits()).ok(), "is an object that cannot be"))
    return;
  Object& object = objects_.create(spec);
  if (is_frozen) objects_.freeze(object);
  object.has_expiry = expires_at != kForever;
  if (object.has_expiry) expiries_.set(spec.id, expires_at, slot_of());
  object.is_disabled = disabled_until != 0;
  if (object.is_disabled) enables_.set(spec.id, disabled_until, slot_of());
}

void World::Impl::validate() const {
#if SWEEPD_COSTLY_CHECKS
  objects_.validate();
  contacts_.validate();
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
void World::sweep(ObjectId id) { impl_->sweep(id); }
ChangeResult World::set_motion(ObjectId id, const Motion& motion) { return impl_->set_motion(id, motion); }
ChangeResult World::teleport_to(ObjectId id, Point position) { return impl_->teleport_to(id, position); }
ChangeResult World::freeze(ObjectId id) { return impl_->freeze(id); }
ChangeResult World::release(ObjectId id) { return impl_->release(id); }
ChangeResult World::set_owner(ObjectId id, OwnerId owner) { return impl_->set_owner(id, owner); }
bool World::scroll_to(Point origin) { return impl_->scroll_to(origin); }
void World::strike(const EncounterKey& key) { impl_->strike(key); }
ChangeResult World::disable_until(ObjectId id, Tick until_tick) {
  return impl_->disable_until(id, until_tick);
}
ChangeResult World::enable(ObjectId id) { return impl_->enable(id); }
ChangeResult World::despawn(ObjectId id, ExitReason reason) { return impl_->despawn(id, reason); }
std::span<Event> World::finish_tick(TickObserver* observer) { return impl_->finish_tick(observer); }
std::span<Event> World::end() { return impl_->end(); }
Excess World::excess() const { return impl_->contacts().excess(); }

Tick World::tick() const { return impl_->tick(); }
std::uint64_t World::last_sequence_number() const { return impl_->contacts().last_sequence_number(); }
std::size_t World::object_count() const { return impl_->objects().size(); }

std::optional<ObjectView> World::find(ObjectId id) const { return impl_->view(id); }
std::optional<Holding> World::holding_of(ObjectId id) const {
  const Object* object = impl_->objects().find(id);
  if (object == nullptr) return std::nullopt;
  return Holding{object->owner, object->part_count, impl_->objects().slot_of(*object)};
}
OwnedSlot World::find_next(ObjectId id) { return impl_->find_next(id); }
bool World::has_any_in(ObjectId first, ObjectId last) const {
  return impl_->objects().has_any_in(first, last);
}
std::vector<ObjectId> World::ids() const { return impl_->objects().ids(); }
std::vector<ObjectId> World::objects_of(OwnerId owner) const { return impl_->objects().ids_of(owner); }
std::span<const RemovedObject> World::removed_by_world() const { return impl_->removed_by_world(); }
std::span<const Destruction> World::destructions() const { return impl_->outcomes().destructions(); }
std::span<const EncounterKey> World::strikes() const { return impl_->outcomes().strikes(); }
Point World::playfield_origin() const { return impl_->playfield_origin(); }
std::size_t World::encounter_count() const { return impl_->contacts().encounters().size(); }
std::vector<Encounter> World::open_encounters() const { return impl_->contacts().encounters().sorted(); }
std::span<const BitMask> World::masks() const { return impl_->masks(); }
Queries World::queries() const { return impl_->queries(); }
std::uint64_t World::state_hash() const { return impl_->state_hash(); }

ObjectSlot World::slot_of(ObjectId id) const {
  const Object* object = impl_->objects().find(id);
  SWEEPD_ASSERT(object != nullptr);
  return impl_->objects().slot_of(*object);
}
Bearing World::bearing_at(ObjectSlot slot) const {
  const ObjectTable& objects = impl_->objects();
  SWEEPD_ASSERT(slot < objects.slot_count() && objects[slot].is_alive);
  const Object& object = objects[slot];
  return {object.position, objects.motion_of(object), objects.parts_of(object), object.is_frozen};
}
void World::save(base::ByteWriter& writer) const { impl_->save(writer); }
void World::restore(base::ByteReader& reader) { impl_->restore(reader); }

}  // namespace sweepd::collision
