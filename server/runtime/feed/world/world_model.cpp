// SPDX-License-Identifier: MIT
#include "runtime/feed/world/world_model.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

using collision::ChangeKind;
using collision::ObjectSlot;

/// In 128 bits: what is late may be told of hours after, and its last motion may have been of any size.
collision::Subunits clamped_sum(std::int64_t from, std::int64_t velocity, std::int64_t acceleration,
                                match::Tick ticks) {
  __extension__ using Wide = __int128;
  const Wide count = std::min<match::Tick>(ticks, match::Tick{1} << 40);
  const Wide sum = Wide{from} + count * velocity + count * (count + 1) / 2 * acceleration;
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  return collision::clamp_subunits(static_cast<std::int64_t>(std::clamp(sum, -kMost, kMost)));
}

}  // namespace

collision::Point moved_on(collision::Point position, const collision::Motion& motion, match::Tick ticks) {
  if (ticks == 0 || motion.is_still()) return position;
  const auto& [velocity, acceleration] = motion;
  return {clamped_sum(position.x, velocity.x, acceleration.x, ticks),
          clamped_sum(position.y, velocity.y, acceleration.y, ticks)};
}

collision::Motion sped_up(const collision::Motion& motion, match::Tick ticks) {
  const auto& [velocity, acceleration] = motion;
  return {
      {clamped_sum(velocity.x, acceleration.x, 0, ticks), clamped_sum(velocity.y, acceleration.y, 0, ticks)},
      acceleration};
}

WorldModel::WorldModel(const match::Match& match) : match_(match), tick_(match.tick()) {
  for (const match::ObjectId id : match.object_ids()) begin(match.slot_of(id), *match.find_object(id));
}

void WorldModel::begin(ObjectSlot slot, const collision::ObjectView& view) {
  if (objects_.size() <= slot) objects_.resize(slot + std::size_t{1});
  ModelObject& object = objects_[slot];
  object = {.id = view.id,
            .owner = view.owner,
            .since = tick_,
            .position = view.position,
            .motion = view.is_frozen ? collision::Motion{} : view.motion,
            .template_number = match_.template_of(view.id),
            .hit_points = view.hit_points,
            .tag = view.tag,
            .is_disabled = view.disabled_until != 0,
            .is_frozen = view.is_frozen};
  object.parts = parts_.add(view.parts);
  set_parts(object, view.parts);
}

void WorldModel::set_parts(ModelObject& object, std::span<const collision::Part> parts) {
  object.look = ++looks_;
  object.bounds = collision::bounds_of(parts);
  object.layers = collision::layers_of(parts);
}

void WorldModel::on_tick(const collision::TickNotes& notes) {
  SWEEPD_ASSERT(notes.tick == tick_ + 1);
  tick_ = notes.tick;
  changes_.clear();
  departures_.clear();
  if (objects_.size() < notes.objects.slot_count()) objects_.resize(notes.objects.slot_count());
  for (const ObjectSlot slot : notes.objects.changed()) take(notes.objects, slot);
  for (const collision::Start& start : notes.objects.starts()) {
    if (objects_[start.slot].id != 0) changes_.push_back({start.slot, true});
  }
  take_outcome(notes);
}

void WorldModel::take(const collision::ObjectTable& objects, ObjectSlot slot) {
  const collision::Object& object = objects[slot];
  if (object.is_only(ChangeKind::kMovedOn)) return;
  ModelObject& known = objects_[slot];
  if (!object.is_alive) {
    // None: it came and went in this tick, or went with the outcome of the last.
    if (known.id != 0) depart(slot, object.removal);
    return;
  }
  const bool is_whole = known.id == 0 || object.is_only(ChangeKind::kAny);
  if (is_whole) take_whole(objects, slot);
  known.since = tick_;
  known.position = object.position;
  known.motion = objects.present_motion_of(object);
  known.is_frozen = object.is_frozen;
  changes_.push_back({slot, false});
}

void WorldModel::take_whole(const collision::ObjectTable& objects, ObjectSlot slot) {
  const collision::Object& object = objects[slot];
  ModelObject& known = objects_[slot];
  const std::span<const collision::Part> parts = objects.parts_of(object);
  const bool is_new = known.id == 0;
  if (is_new) {
    known.id = object.id;
    known.tag = objects.tag_of(object.id);
    known.template_number = match_.template_of(object.id);
    const collision::Vitals* vitals = object.has_vitals ? objects.vitals_of(object.id) : nullptr;
    known.hit_points = vitals == nullptr ? 0 : vitals->hit_points;
  }
  if (std::exchange(known.owner, object.owner) != object.owner) known.look = ++looks_;
  known.is_disabled = object.is_disabled;
  if (!is_new && std::ranges::equal(parts, parts_.parts(known.parts))) return;
  if (!is_new) parts_.release(known.parts);
  known.parts = parts_.add(parts);
  set_parts(known, parts);
}

void WorldModel::take_outcome(const collision::TickNotes& notes) {
  const auto slot_of = [&](match::ObjectId id) {
    const collision::Object* object = notes.objects.find(id);
    return object == nullptr ? objects_.size() : notes.objects.slot_of(*object);
  };
  for (const match::ObjectId id : notes.outcomes.damaged()) {
    const std::size_t slot = slot_of(id);
    if (slot == objects_.size()) continue;
    objects_[slot].hit_points = notes.objects.vitals_of(id)->hit_points;
    changes_.push_back({static_cast<ObjectSlot>(slot), false});
  }
  for (const match::ObjectId id : notes.outcomes.removed()) {
    const auto found =
        std::ranges::lower_bound(notes.outcomes.destructions(), id, {}, &collision::Destruction::object);
    const bool is_destroyed = found != notes.outcomes.destructions().end() && found->object == id;
    depart(static_cast<ObjectSlot>(slot_of(id)),
           is_destroyed ? collision::ExitReason::kDestroyed : collision::ExitReason::kConsumed);
  }
}

void WorldModel::depart(ObjectSlot slot, collision::ExitReason reason) {
  ModelObject& object = objects_[slot];
  if (object.id == 0) return;
  departures_.push_back({slot, object.id, reason});
  parts_.release(object.parts);
  object = {};
}

}  // namespace sweepd::runtime
