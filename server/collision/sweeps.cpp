// SPDX-License-Identifier: MIT
#include "collision/sweeps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <optional>

#include "base/growth.h"
#include "collision/contact.h"
#include "collision/shapes/test_cost.h"

namespace sweepd::collision {
namespace {

// A broadphase looks at about so many parts of a layer in the time of one test.
constexpr std::uint64_t kPartsLookedAtPerTest = 256;
// Sixteen regions of probes are compared in about the time of one test.
constexpr std::uint64_t kProbesLookedAtPerTest = 16;

/// An object's way through a tick.
struct Path {
  Point begin;
  Way way;
  bool ends = false;  ///< Its object leaves in this tick, and is met all the same.
  bool is_still() const { return way.x == 0 && way.y == 0; }
};

/// How far anything that the broadphase knows on a layer moved in this tick, either way; and whether anything
/// at all changed, as what has come to be where it is has not moved.
struct Reach {
  std::int64_t x = 0;
  std::int64_t y = 0;
  bool is_any_changed = false;
};

/// Continuous parts that may meet something on one layer, and where it would have to be now.
struct Probes {
  std::vector<PartHandle> parts;
  std::vector<Box> regions;
};

/// One for all worlds of a thread: nothing in it is remembered from one tick to the next but the memory.
struct Scratch {
  std::vector<Path> paths;  ///< By slot, of what changed.
  std::array<Reach, kLayersMax> reach;
  std::array<Probes, kLayersMax> probes;  ///< By the layer of what they may meet.
  std::vector<RegionHit> hits;
};

Scratch& scratch() {
  thread_local Scratch scratch;
  return scratch;
}

Path path_of(const Object& object, const ObjectTable& objects) {
  if (!object.is_changed) return {object.position, {}};
  return scratch().paths[objects.slot_of(object)];
}

/// Where its object was, by what the broadphase knows of a part.
Point position_before(PartHandle part, const ObjectTable& objects, const Broadphase& broadphase) {
  const Box box = broadphase.box_of(part);
  const Box& shape = objects.parts()[part].box;
  return {box.min_x - shape.min_x, box.min_y - shape.min_y};
}

Way way_between(Point from, Point to) { return {std::int64_t{to.x} - from.x, std::int64_t{to.y} - from.y}; }

/// What a part covers on its path, and as much more as `reach`.
Box covered(const Part& part, const Path& path, const Reach& reach) {
  const auto& [begin, way, ends] = path;
  return {
      clamp_subunits(std::int64_t{begin.x} + part.box.min_x + std::min<std::int64_t>(way.x, 0) - reach.x),
      clamp_subunits(std::int64_t{begin.y} + part.box.min_y + std::min<std::int64_t>(way.y, 0) - reach.y),
      clamp_subunits(std::int64_t{begin.x} + part.box.max_x + std::max<std::int64_t>(way.x, 0) + reach.x),
      clamp_subunits(std::int64_t{begin.y} + part.box.max_y + std::max<std::int64_t>(way.y, 0) + reach.y)};
}

void measure_reach(const ObjectTable& objects) {
  auto& reaches = scratch().reach;
  reaches.fill({});
  for (const ObjectSlot slot : objects.changed()) {
    const Object& object = objects[slot];
    if (object.is_ghost) continue;  // It went with the tick before.
    const Way way = object.is_filed ? scratch().paths[slot].way : Way{};
    for (const Part& part : objects.parts_of(object)) {
      Reach& reach = reaches[part.layer];
      reach = {std::max(reach.x, std::abs(way.x)), std::max(reach.y, std::abs(way.y)), true};
    }
  }
}

/// In this tick.
bool leaves(const Object& object) { return !object.is_alive && !object.is_disabled && !object.is_ghost; }

/// What is neither continuous nor was judged before, and leaves, never did. Before the broadphase is told.
bool has_existed(const Object& object) { return object.was_judged || object.is_continuous_now(); }

/// Each encounter once: the lowest parts, the earliest time.
void merge_by_encounter(std::vector<Sweep>& sweeps) {
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
  const EncounterTable& encounters;
  std::span<const BitMask> masks;
  TestMeter& meter;
  const SweepRules& rules;

  const Object& object_of(PartHandle part) const { return objects[objects.parts().owner(part).object]; }
  void sweep_layer(LayerId layer, const Broadphase& broadphase, std::vector<Sweep>& found) const;
  void sweep_leaver(const Object& leaver, std::vector<Sweep>& found) const;
  void sweep_pair(PartHandle part, PartHandle other, std::vector<Sweep>& found) const;
};

void Sweeps::note_paths(const ObjectTable& objects, const Broadphase& broadphase) const {
  if (!objects.has_any_to_sweep()) return;
  std::vector<Path>& paths = scratch().paths;
  if (paths.size() < objects.slot_count()) base::grow_to(paths, objects.slot_count());
  for (const ObjectSlot slot : objects.changed()) {
    const Object& object = objects[slot];
    const Point step = objects.step_of(object);
    paths[slot].begin = object.is_filed ? position_before(object.first_part, objects, broadphase)
                                        : Point{object.position.x - step.x, object.position.y - step.y};
  }
  for (const LastStep& last : objects.last_steps()) {
    const Object& object = objects[last.slot];
    if (object.was_judged || !last.is_taken) continue;
    paths[last.slot].begin = {static_cast<Subunits>(object.position.x - last.x),
                              static_cast<Subunits>(object.position.y - last.y)};
  }
  for (const auto& [first, count] :
       objects.withdrawn()) {  // Judged in the tick before, but with other parts.
    paths[objects.parts().owner(first).object].begin = position_before(first, objects, broadphase);
  }
  for (const auto& [slot, position] : objects.starts()) {
    const Object& object = objects[slot];
    const bool is_enabled_now = !object.was_judged && !object.is_new;
    if (!is_enabled_now || !rules_.enabling_passes_over_teleports) paths[slot].begin = position;
  }
  for (const ObjectSlot slot : objects.changed()) {
    const Object& object = objects[slot];
    auto& [begin, way, ends] = paths[slot];
    if (!translate(objects.bounds_of(object), begin)) begin = object.position;
    way = way_between(begin, object.position);
    ends = leaves(object) && (has_existed(object) || !rules_.meets_still_leavers);
  }
  for (const LastStep& last : objects.last_steps()) {
    if (last.is_taken) continue;
    Way& way = paths[last.slot].way;
    way = {way.x + last.x, way.y + last.y};
  }
  if (rules_.meets_still_leavers) return;
  for (const ObjectSlot slot : objects.changed()) paths[slot].ends &= !paths[slot].is_still();
}

void Sweeps::gather_probes(const ObjectTable& objects, TestMeter& meter) const {
  for (Probes& of_layer : scratch().probes) {
    of_layer.parts.clear();
    of_layer.regions.clear();
  }
  for (const std::span<const ObjectSlot> slots : {objects.continuous(), objects.swept()}) {
    for (const ObjectSlot slot : slots) {
      if (meter.is_exceeded()) return;
      gather_probes(objects, slot, meter);
    }
  }
}

void Sweeps::gather_probes(const ObjectTable& objects, ObjectSlot slot, TestMeter& meter) const {
  auto& [paths, reach, probes, hits] = scratch();
  const Object& object = objects[slot];
  const Path path = path_of(object, objects);
  if (!object.is_filed && !path.ends) return;
  const std::uint64_t probe_cost = 1 + objects.part_count() / kPartsLookedAtPerTest;
  for (std::uint32_t i = 0; i < object.part_count; ++i) {
    const Part& part = objects.parts()[object.first_part + i];
    std::uint64_t partners = part.layer < partners_.size() ? partners_[part.layer] : 0;
    for (; partners != 0; partners &= partners - 1) {
      const auto with = static_cast<std::size_t>(std::countr_zero(partners));
      if (!object.is_changed && !reach[with].is_any_changed) continue;
      if (!meter.take(probe_cost)) return;
      probes[with].parts.push_back(object.first_part + i);
      probes[with].regions.push_back(covered(part, path, reach[with]));
    }
  }
}

void Sweeps::find(const ObjectTable& objects, const Broadphase& broadphase, const EncounterTable& encounters,
                  std::span<const BitMask> masks, TestMeter& meter, std::vector<Sweep>& found) const {
  found.clear();
  if (!objects.has_any_to_sweep()) return;
  measure_reach(objects);
  gather_probes(objects, meter);
  const Context context{objects, encounters, masks, meter, rules_};
  for (std::size_t layer = 0; layer < kLayersMax && !meter.is_exceeded(); ++layer) {
    context.sweep_layer(static_cast<LayerId>(layer), broadphase, found);
  }
  for (const ObjectSlot slot : objects.changed()) {
    if (scratch().paths[slot].ends) context.sweep_leaver(objects[slot], found);
  }
  merge_by_encounter(found);
}

void Sweeps::Context::sweep_layer(LayerId layer, const Broadphase& broadphase,
                                  std::vector<Sweep>& found) const {
  const auto& [parts, regions] = scratch().probes[layer];
  if (parts.empty()) return;
  std::vector<RegionHit>& hits = scratch().hits;
  hits.clear();
  broadphase.find_each(regions, layer, hits, meter.left());
  if (!meter.take(hits.size())) return;
  for (const RegionHit& hit : hits) {
    if (meter.is_exceeded()) return;
    sweep_pair(parts[hit.region], hit.part, found);
  }
}

/// The broadphase does not know it any more.
void Sweeps::Context::sweep_leaver(const Object& leaver, std::vector<Sweep>& found) const {
  for (std::uint32_t i = 0; i < leaver.part_count; ++i) {
    const PartHandle other = leaver.first_part + i;
    const Part& part = objects.parts()[other];
    const auto& [parts, regions] = scratch().probes[part.layer];
    if (!meter.take(rules.leavers_count_all_probes ? parts.size()
                                                   : 1 + parts.size() / kProbesLookedAtPerTest))
      return;
    const Box box = covered(part, path_of(leaver, objects), {});
    for (std::size_t probe = 0; probe < parts.size(); ++probe) {
      if (!overlap(regions[probe], box)) continue;
      if (!rules.leavers_count_all_probes && !meter.take(1)) return;
      sweep_pair(parts[probe], other, found);
    }
  }
}

/// A pair may be swept twice, once from each side, if one of the two leaves: to the same result.
void Sweeps::Context::sweep_pair(PartHandle part, PartHandle other, std::vector<Sweep>& found) const {
  const Object& a = object_of(part);
  const Object& b = object_of(other);
  if (a.id == b.id) return;
  if (a.is_filed && b.is_filed && b.is_continuous_now() && other < part) return;  // It finds this one.
  const Path path_a = path_of(a, objects);
  const Path path_b = path_of(b, objects);
  const Part& part_a = objects.parts()[part];
  const Part& part_b = objects.parts()[other];
  if (!overlap(covered(part_a, path_a, {}), covered(part_b, path_b, {}))) return;
  const Contact contact = contact_of(part, other, objects);
  if (encounters.is_open(contact.key)) return;
  const Shape shape_a = place(part_a, path_a.begin, masks);
  const Shape shape_b = place(part_b, path_b.begin, masks);
  if (!meter.take(sweep_cost(shape_a, shape_b, rules.tests_per_sweep))) return;
  const auto time = first_touch(shape_a, path_a.way, shape_b, path_b.way, kEndOfTick);
  if (time) found.push_back({contact.key, contact.parts, static_cast<TimeOfImpact>(*time)});
}

}  // namespace sweepd::collision
