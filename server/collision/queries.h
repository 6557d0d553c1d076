// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/encounter_table.h"
#include "collision/event.h"
#include "collision/object_table.h"
#include "collision/shapes/bit_mask.h"
#include "collision/shapes/shape.h"
#include "collision/tick_budget.h"

namespace sweepd::collision {

/// A part, by the id of its object and its index there.
struct PartName {
  ObjectId object = 0;
  std::uint8_t part = 0;
  friend auto operator<=>(const PartName&, const PartName&) = default;
};

/// A straight line from one point to another, both included. They may be the same.
struct Ray {
  Point from;
  Point to;
};

inline constexpr std::uint32_t kRaySteps = 65536;

Box bounds_of(const Ray& ray);

/// Takes what a question to the shape costs at most: its place alone, or a test of it. False: that is too
/// much.
bool take_test(const Shape& shape, TestMeter* meter);

/// After how many steps the ray meets the shape, rounded up, if it does.
std::optional<std::uint32_t> steps_until(const Ray& ray, const Shape& shape);

/// The distance of a mask without a pixel that is set: it is nowhere.
inline constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

/// Ordered as the ray meets them; what it meets at once, by name.
struct RayHit {
  std::uint32_t steps = 0;  ///< Of kRaySteps along the ray, rounded up; 0: it begins there.
  PartName part;
  friend auto operator<=>(const RayHit&, const RayHit&) = default;
};

struct NearPart {
  std::uint64_t distance = 0;  ///< From the shape in subunits, rounded down.
  PartName part;
  friend auto operator<=>(const NearPart&, const NearPart&) = default;
};

/// Which objects a change to many may take: those of an owner, and those on some layers.
struct Selectable {
  OwnerId owner = 0;
  std::uint64_t layers = 0;  ///< Bit i: layer i, of any owner.
};

/// Questions to a world, about where everything is now: changes of the tick in progress are in, the motion of
/// that tick is not. Shapes count, not the boxes around them, and touching counts. Disabled objects are
/// nowhere. `layers`: bit i, parts on layer i are asked for. Answers are sorted and do not depend on the
/// broadphase. A view: the world must outlive it and may change meanwhile.
class Queries {
 public:
  Queries(const ObjectTable& objects, const Broadphase& broadphase, const EncounterTable& encounters,
          std::span<const BitMask> masks)
      : objects_(objects), broadphase_(broadphase), encounters_(encounters), masks_(masks) {}

  // `meter`: once it is exceeded, nothing more is looked at, and the answer is of no use. Null: no
  // limit.

  /// All parts that touch `region`; an inverted one touches nothing.
  std::vector<PartName> in_region(const Box& region, std::uint64_t layers, TestMeter* meter = nullptr) const;
  /// The selectable objects of which such a part touches `region`, ascending. A selectable layer has to be
  /// that part's.
  std::vector<ObjectId> objects_in(const Box& region, std::uint64_t layers, const Selectable& which) const;
  /// The objects that have a part on one of `layers`, disabled ones, too, ascending.
  std::vector<ObjectId> objects_on(std::uint64_t layers) const;
  /// What the ray meets first.
  std::optional<RayHit> first_hit(const Ray& ray, std::uint64_t layers) const;
  /// All that the ray meets, as if it went through everything.
  std::vector<RayHit> all_hits(const Ray& ray, std::uint64_t layers, TestMeter* meter = nullptr) const;
  /// Of the nearest, the lowest name.
  std::optional<NearPart> nearest(Point point, std::uint64_t layers, TestMeter* meter = nullptr) const;
  /// Of the encounters that were open after the last tick.
  std::vector<Encounter> encounters(const EncounterPage& page) const { return encounters_.sorted(page); }

 private:
  std::vector<PartHandle> candidates(const Box& region, std::uint64_t layers) const;
  bool has_selectable(const Object& object, const Box& region, std::uint64_t layers) const;
  void append_changed(const Box& region, std::uint64_t layers, std::vector<PartHandle>& parts) const;
  PartName name_of(PartHandle part) const;
  std::optional<NearPart> nearest_of(std::span<const PartHandle> parts, Point point, TestMeter* meter) const;

  const ObjectTable& objects_;
  const Broadphase& broadphase_;
  const EncounterTable& encounters_;
  std::span<const BitMask> masks_;
};

}  // namespace sweepd::collision
