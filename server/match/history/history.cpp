// SPDX-License-Identifier: MIT
#include "match/history/history.h"

#include <algorithm>

#include "base/assert.h"
#include "base/growth.h"
#include "match/templates/template_objects.h"

namespace sweepd::match {

using collision::ChangeKind;

namespace {

LifetimeTable::State state_of(const collision::Object& object, const collision::ObjectTable& objects) {
  return {.owner = object.owner, .is_disabled = object.is_disabled, .parts = objects.parts_of(object)};
}

/// Whether all parts fit into the range of coordinates there.
bool has_room(std::span<const collision::Part> parts, collision::Point position) {
  return std::ranges::all_of(
      parts, [&](const collision::Part& part) { return translate(part.box, position).has_value(); });
}

std::optional<collision::Point> exact_difference(collision::Point a, collision::Point b) {
  const std::int64_t x = std::int64_t{a.x} - b.x;
  const std::int64_t y = std::int64_t{a.y} - b.y;
  if (!collision::fits_subunits(x) || !collision::fits_subunits(y)) return std::nullopt;
  return collision::Point{static_cast<collision::Subunits>(x), static_cast<collision::Subunits>(y)};
}

}  // namespace

void History::on_tick(const collision::TickNotes& notes) {
  SWEEPD_ASSERT(notes.tick == tick_ + 1);
  tick_ = notes.tick;
  if (life_by_slot_.size() < notes.objects.slot_count()) {
    const std::size_t before = life_by_slot_.size();
    base::grow_to(life_by_slot_, notes.objects.slot_count());
    std::fill(life_by_slot_.begin() + static_cast<std::ptrdiff_t>(before), life_by_slot_.end(),
              LifetimeTable::kNone);
  }
  note_changes(notes.objects);
  note_removed(notes);
  trajectories_.finish_tick(tick_, lives_.size());
  note_ended(notes.ended);
  note_ended(notes.ended_by_outcome);
  lives_.forget_before(oldest());
  while (!ended_.empty() && ended_.front().tick <= oldest()) ended_.pop_front();
}

void History::note_changes(const collision::ObjectTable& objects) {
  for (const collision::ObjectSlot slot : objects.changed()) {
    const collision::Object& object = objects[slot];
    if (object.is_only(ChangeKind::kMovedOn)) continue;
    if (object.is_only(ChangeKind::kPlaced)) {  // Mostly.
      trajectories_.note_position(life_by_slot_[slot], object.position);
    } else {
      note(object, objects);
    }
  }
  for (const collision::Start& start : objects.starts()) {
    const LifetimeIndex life = life_by_slot_[start.slot];
    if (life != LifetimeTable::kNone && lives_[life].born < tick_) lives_.teleport(life, tick_);
  }
}

void History::note_removed(const collision::TickNotes& notes) {
  for (const ObjectId id : notes.outcomes.removed()) {
    LifetimeIndex& life = life_by_slot_[notes.objects.slot_of(*notes.objects.find(id))];
    lives_.use_up(life);
    end_life(life);
  }
}

void History::note_ended(std::span<const collision::Encounter> ended) {
  for (const collision::Encounter& encounter : ended) {
    if (encounter.since_tick < tick_) note_ended({encounter.key, encounter.since_tick}, tick_);
  }
}

void History::note(const collision::Object& object, const collision::ObjectTable& objects) {
  LifetimeIndex& life = life_by_slot_[objects.slot_of(object)];
  if (!object.is_alive) return end_life(life);
  if (life == LifetimeTable::kNone) return begin_life(object, objects);
  if (object.change != ChangeKind::kSteered) trajectories_.note_position(life, object.position);
  trajectories_.note_motion(life, objects.present_motion_of(object));
  if (object.change == ChangeKind::kAny) lives_.alter(life, tick_, state_of(object, objects));
}

/// None: it came and went in this tick, and never was; or it went with the outcome of the last.
void History::end_life(LifetimeIndex& life) {
  if (life != LifetimeTable::kNone) lives_.end(life, tick_);
  life = LifetimeTable::kNone;
}

void History::begin_life(const collision::Object& object, const collision::ObjectTable& objects) {
  const LifetimeIndex life = lives_.begin(object.id, tick_, state_of(object, objects), object.is_single_use);
  const collision::ObjectSlot slot = objects.slot_of(object);
  const TemplateNumber number = templates_ == nullptr ? kNoTemplate : templates_->bounding_claims(slot);
  if (number != kNoTemplate) lives_.set_template(life, number);
  life_by_slot_[slot] = life;
  trajectories_.begin(life, tick_, {object.position, objects.present_motion_of(object)});
}

PastObject History::past_object(LifetimeIndex life, Tick tick) const {
  const LifetimeTable::State state = lives_.state_at(life, tick);
  return {.id = lives_[life].id,
          .owner = state.owner,
          .trajectory = trajectories_.at(life, tick),
          .is_disabled = state.is_disabled,
          .parts = state.parts};
}

std::optional<PastObject> History::find(ObjectId id, Tick tick) const {
  SWEEPD_ASSERT(has(tick));
  const LifetimeIndex life = lives_.find(id, tick);
  if (life == LifetimeTable::kNone) return std::nullopt;
  return past_object(life, tick);
}

std::optional<History::Way> History::find_way(ObjectId id, Tick tick) const {
  SWEEPD_ASSERT(has(tick) && (tick == 1 || has(tick - 1)));
  const LifetimeIndex index = lives_.find(id, tick);
  if (index == LifetimeTable::kNone) return std::nullopt;
  const LifetimeTable::Lifetime& life = lives_[index];
  Way way{&life, past_object(index, tick), {}, lives_.teleported(index), lives_.template_of(index)};
  const auto& [position, motion] = way.object.trajectory;
  const bool was_there =
      life.born < tick && way.teleported != tick && !lives_.state_at(index, tick - 1).is_disabled;
  const std::optional<collision::Point> begin =
      was_there ? trajectories_.at(index, tick - 1).position : exact_difference(position, motion.velocity);
  way.begin = begin && has_room(way.object.parts, *begin) ? *begin : position;
  return way;
}

bool History::knows(ObjectId id, Tick born) const { return lives_.has(id, born); }

void ObjectPage::cut(std::vector<ObjectId>& ids) const {
  std::erase_if(ids, [this](ObjectId id) { return id <= after; });
  if (ids.size() > count) {
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::nth_element(ids, end);
    ids.erase(end, ids.end());
  }
  std::ranges::sort(ids);
}

std::vector<PastObject> History::objects(Tick tick, const ObjectPage& page) const {
  SWEEPD_ASSERT(has(tick));
  std::vector<ObjectId> ids;
  for (LifetimeIndex life = 0; life < lives_.size(); ++life) {
    if (lives_[life].id > page.after && lives_[life].is_at(tick)) ids.push_back(lives_[life].id);
  }
  page.cut(ids);
  std::vector<PastObject> objects;
  objects.reserve(ids.size());
  for (const ObjectId id : ids) objects.push_back(past_object(lives_.find(id, tick), tick));
  return objects;
}

std::vector<PastEncounter> History::ended_encounters(Tick tick) const {
  SWEEPD_ASSERT(has(tick));
  std::vector<PastEncounter> encounters;
  for (const Ended& ended : ended_) {
    if (ended.since_tick <= tick && tick < ended.tick) encounters.push_back(ended.encounter());
  }
  std::ranges::sort(encounters, {}, &PastEncounter::key);
  return encounters;
}

const LifetimeTable::Lifetime* History::find_living(ObjectId id) const {
  const LifetimeIndex life = lives_.find(id, tick_);
  return life != LifetimeTable::kNone ? &lives_[life] : nullptr;
}

std::size_t History::bytes() const {
  return lives_.bytes() + trajectories_.bytes() + life_by_slot_.capacity() * sizeof(LifetimeIndex) +
         ended_.size() * sizeof(Ended);
}

}  // namespace sweepd::match
