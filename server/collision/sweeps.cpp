// SPDX-License-Identifier: MIT
#include "collision/sweeps.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/growth.h"
#include "collision/contact.h"

namespace sweepd::collision {
namespace {

bool is_zero(Way way) { return way.x == 0 && way.y == 0; }

/// How far anything on a layer moved in this tick, either way; and whether anything was changed at all, as
/// what has come to be where it is has not moved.
struct Reach {
  std::int64_t x = 0;
  std::int64_t y = 0;
  bool is_any_changed = false;
};

/// One for all worlds of a thread: nothing in it is remembered from one tick to the next but the memory.
struct Scratch {
  std::vector<Way> ways;  ///< By slot, of this tick; zero between ticks.
  std::array<Reach, kLayersMax> reach;
  std::vector<PartHandle> near;
};

Scratch& scratch() {
  thread_local Scratch scratch;
  return scratch;
}

Way way_from(Point before, Point now) {
  return {std::int64_t{now.x} - before.x, std::int64_t{now.y} - before.y};
}

Way way_of(const Object& object, const ObjectTable& objects) {
  return scratch().ways[objects.slot_of(object)];
}

/// Where its object was, by what the broadphase knows of a part.
Point position_before(PartHandle part, const ObjectTable& objects, const Broadphase& broadphase) {
  const Box box = broadphase.box_of(part);
  const Box& shape = objects.parts()[part].box;
  return {box.min_x - shape.min_x, box.min_y - shape.min_y};
}

/// The bounds at the beginning of the way, or nothing if the object's present parts had no room there.
std::optional<Box> bounds_before(const Object& object, Way way, const ObjectTable& objects) {
  const Point before{static_cast<Subunits>(object.position.x - way.x),
                     static_cast<Subunits>(object.position.y - way.y)};
  return translate(objects.bounds_of(object), before);
}

Shape shape_before(PartHandle part, const Object& object, Way way, const ObjectTable& objects,
                   std::span<const BitMask> masks) {
  const Point before{static_cast<Subunits>(object.position.x - way.x),
                     static_cast<Subunits>(object.position.y - way.y)};
  return place(objects.parts()[part], before, masks);
}

Subunits clamp(std::int64_t value) {
  return static_cast<Subunits>(std::clamp<std::int64_t>(value, kSubunitsMin, kSubunitsMax));
}

/// What `box` covers on its way to where it is, and `margin_x`, `margin_y` more.
Box covered(const Box& box, Way way, std::int64_t margin_x, std::int64_t margin_y) {
  return {clamp(box.min_x - std::max<std::int64_t>(way.x, 0) - margin_x),
          clamp(box.min_y - std::max<std::int64_t>(way.y, 0) - margin_y),
          clamp(box.max_x - std::min<std::int64_t>(way.x, 0) + margin_x),
          clamp(box.max_y - std::min<std::int64_t>(way.y, 0) + margin_y)};
}

void measure_reach(const ObjectTable& objects) {
  auto& reaches = scratch().reach;
  reaches.fill({});
  for (const ObjectSlot slot : objects.changed()) {
    const Way way = scratch().ways[slot];
    for (const Part& part : objects.parts_of(objects[slot])) {
      Reach& reach = reaches[part.layer];
      reach = {std::max(reach.x, std::abs(way.x)), std::max(reach.y, std::abs(way.y)), true};
    }
  }
}

/// Each encounter once: the lowest parts, the earliest time.
void merge(std::vector<Sweep>& sweeps) {
  std::sort(sweeps.begin(), sweeps.end());
  std::size_t count = 0;
  for (const Sweep& sweep : sweeps) {
    if (count > 0 && sweeps[count - 1].key == sweep.key) {
      TimeOfImpact& time = sweeps[count - 1].time_of_impact;
      time = std::min(time, sweep.time_of_impact);
    } else {
      sweeps[count++] = sweep;
    }
  }
  sweeps.resize(count);
}

}  // namespace

struct Sweeps::Context {
  const ObjectTable& objects;
  const Broadphase& broadphase;
  const EncounterTable& encounters;
  std::span<const BitMask> masks;

  const Object& object_of(PartHandle part) const { return objects[objects.parts().owner(part).object]; }
  void sweep_part(PartHandle part, LayerId with, std::vector<Sweep>& found) const;
  void sweep_pair(PartHandle part, PartHandle other, std::vector<Sweep>& found) const;
};

void Sweeps::note_ways(const ObjectTable& objects, const Broadphase& broadphase) {
  if (objects.continuous().empty()) return;
  std::vector<Way>& ways = scratch().ways;
  if (ways.size() < objects.slot_count()) base::grow_to(ways, objects.slot_count());
  for (const ObjectSlot slot : objects.changed()) {
    const Object& object = objects[slot];
    if (object.is_filed) {
      ways[slot] = way_from(position_before(object.first_part, objects, broadphase), object.position);
    } else {
      ways[slot] = way_from({}, objects.motion_of(object).velocity);
    }
  }
  for (const auto& [slot, step] : objects.last_steps()) {
    if (!objects[slot].is_filed) ways[slot] = way_from({}, step);
  }
  for (const auto& [slot, position] : objects.starts()) {
    ways[slot] = way_from(position, objects[slot].position);
  }
  // Judged in the tick before, but with other parts.
  for (const auto& [first, count] : objects.withdrawn()) {
    const ObjectSlot slot = objects.parts().owner(first).object;
    ways[slot] = way_from(position_before(first, objects, broadphase), objects[slot].position);
  }
  for (const ObjectSlot slot : objects.changed()) {
    if (!bounds_before(objects[slot], ways[slot], objects)) ways[slot] = {};
  }
}

void Sweeps::find(const ObjectTable& objects, const Broadphase& broadphase, const EncounterTable& encounters,
                  std::span<const BitMask> masks, std::vector<Sweep>& found) const {
  found.clear();
  if (objects.continuous().empty()) return;
  measure_reach(objects);
  const Context context{objects, broadphase, encounters, masks};
  for (const ObjectSlot slot : objects.continuous()) {
    const Object& object = objects[slot];
    const bool has_left_moving = !object.is_alive && !object.is_disabled && !is_zero(way_of(object, objects));
    if (object.is_filed || has_left_moving) sweep_object(context, object, found);
  }
  for (const ObjectSlot slot : objects.changed()) scratch().ways[slot] = {};
  merge(found);
}

void Sweeps::sweep_object(const Context& context, const Object& object, std::vector<Sweep>& found) const {
  for (std::uint32_t i = 0; i < object.part_count; ++i) {
    const PartHandle part = object.first_part + i;
    std::uint64_t partners = partners_of(context.objects.parts()[part].layer);
    for (; partners != 0; partners &= partners - 1) {
      context.sweep_part(part, static_cast<LayerId>(std::countr_zero(partners)), found);
    }
  }
}

void Sweeps::Context::sweep_part(PartHandle part, LayerId with, std::vector<Sweep>& found) const {
  const Object& object = object_of(part);
  const Way way = way_of(object, objects);
  const Reach reach = scratch().reach[with];
  if (!object.is_changed && !reach.is_any_changed) return;
  const Box box = placed(objects.parts()[part].box, object.position);
  std::vector<PartHandle>& near = scratch().near;
  near.clear();
  broadphase.find(covered(box, way, reach.x, reach.y), std::uint64_t{1} << with, near);
  for (const PartHandle other : near) sweep_pair(part, other, found);
}

void Sweeps::Context::sweep_pair(PartHandle part, PartHandle other, std::vector<Sweep>& found) const {
  const Object& a = object_of(part);
  const Object& b = object_of(other);
  if (a.id == b.id) return;
  if (a.is_filed && b.is_continuous && other < part) return;  // It finds this one.
  const Way way_a = way_of(a, objects);
  const Way way_b = way_of(b, objects);
  const Box box_a = placed(objects.parts()[part].box, a.position);
  const Box box_b = placed(objects.parts()[other].box, b.position);
  if (!overlap(covered(box_a, way_a, 0, 0), covered(box_b, way_b, 0, 0))) return;
  const Contact contact = contact_of(part, other, objects);
  if (encounters.is_open(contact.key)) return;
  const auto time = first_touch(shape_before(part, a, way_a, objects, masks), way_a,
                                shape_before(other, b, way_b, objects, masks), way_b, kEndOfTick);
  if (time) found.push_back({contact.key, contact.parts, static_cast<TimeOfImpact>(*time)});
}

}  // namespace sweepd::collision
