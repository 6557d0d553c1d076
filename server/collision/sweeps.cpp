// SPDX-License-Identifier: MIT
#include "collision/sweeps.h"

#include <algorithm>
#include <bit>

#include "base/growth.h"
#include "collision/contact.h"

namespace sweepd::collision {
namespace {

/// Where the part was before its object went `way`. May lie beyond the range of coordinates in no case: it
/// was there.
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
};

void Sweeps::find(const ObjectTable& objects, const Broadphase& broadphase, const EncounterTable& encounters, std::span<const BitMask> masks,
                  std::vector<Sweep>& found) {
  found.clear();
  if (!is_active_ || objects.continuous().empty()) return;
  measure_reach(objects);
  const Context context{objects, broadphase, encounters, masks};
  for (const ObjectSlot slot : objects.continuous()) {
    const Object& object = objects[slot];
    if (object.is_filed && !object.is_new) sweep_object(context, object, found);
  }
  merge(found);
}

Way Sweeps::way_of(const Object& object, const ObjectTable& objects) const {
  const Point before = positions_[objects.slot_of(object)];
  return {std::int64_t{object.position.x} - before.x, std::int64_t{object.position.y} - before.y};
}

void Sweeps::measure_reach(const ObjectTable& objects) {
  reach_.assign(kLayersMax, {});
  for (const ObjectSlot slot : objects.changed()) {
    const Object& object = objects[slot];
    if (!object.is_filed || object.is_new) continue;
    const Way way = way_of(object, objects);
    for (const Part& part : objects.parts_of(object)) {
      Reach& reach = reach_[part.layer];
      reach = {std::max(reach.x, std::abs(way.x)), std::max(reach.y, std::abs(way.y))};
    }
  }
}

void Sweeps::sweep_object(const Context& context, const Object& object, std::vector<Sweep>& found) {
  for (std::uint32_t i = 0; i < object.part_count; ++i) {
    const PartHandle part = object.first_part + i;
    std::uint64_t partners = partners_of(context.objects.parts()[part].layer);
    for (; partners != 0; partners &= partners - 1) {
      sweep_part(context, part, static_cast<LayerId>(std::countr_zero(partners)), found);
    }
  }
}

void Sweeps::sweep_part(const Context& context, PartHandle part, LayerId with, std::vector<Sweep>& found) {
  const ObjectTable& objects = context.objects;
  const Object& object = objects[objects.parts().owner(part).object];
  const Way way = way_of(object, objects);
  const Reach reach = reach_[with];
  if (way.x == 0 && way.y == 0 && reach.x == 0 && reach.y == 0) return;
  const Box box = placed(objects.parts()[part].box, object.position);
  near_.clear();
  context.broadphase.find(covered(box, way, reach.x, reach.y), std::uint64_t{1} << with, near_);
  for (const PartHandle other : near_) sweep_pair(context, part, other, found);
}

void Sweeps::sweep_pair(const Context& context, PartHandle part, PartHandle other,
                        std::vector<Sweep>& found) const {
  const ObjectTable& objects = context.objects;
  const Object& a = objects[objects.parts().owner(part).object];
  const Object& b = objects[objects.parts().owner(other).object];
  if (a.id == b.id || b.is_new) return;
  if (b.is_continuous && other < part) return;  // It finds this one.
  const Way way_a = way_of(a, objects);
  const Way way_b = way_of(b, objects);
  const Box box_a = placed(objects.parts()[part].box, a.position);
  const Box box_b = placed(objects.parts()[other].box, b.position);
  if (!overlap(covered(box_a, way_a, 0, 0), covered(box_b, way_b, 0, 0))) return;
  const Contact contact = contact_of(part, other, objects);
  if (context.encounters.is_open(contact.key)) return;
  const auto time = first_touch(shape_before(part, a, way_a, objects, context.masks), way_a,
                                shape_before(other, b, way_b, objects, context.masks), way_b, kEndOfTick);
  if (time) found.push_back({contact.key, contact.parts, static_cast<TimeOfImpact>(*time)});
}

void Sweeps::settle(const ObjectTable& objects) {
  const bool was_active = is_active_;
  is_active_ = !objects.continuous().empty();
  if (!is_active_) return;
  if (positions_.size() < objects.slot_count()) base::grow_to(positions_, objects.slot_count());
  if (was_active) {
    for (const ObjectSlot slot : objects.changed()) positions_[slot] = objects[slot].position;
  } else {
    for (ObjectSlot slot = 0; slot < objects.slot_count(); ++slot) positions_[slot] = objects[slot].position;
  }
}

}  // namespace sweepd::collision
