// SPDX-License-Identifier: MIT
#pragma once

#include "collision/broadphase/broadphase.h"
#include "collision/event.h"
#include "collision/object_table.h"
#include "collision/shapes/shape.h"

namespace sweepd::collision {

/// Two parts, in the words of events: which encounter they belong to, and as which pair.
struct Contact {
  EncounterKey key;
  PartPair parts;
};

/// Of two parts of different objects, in either order.
Contact contact_of(PartHandle first, PartHandle second, const ObjectTable& objects);

/// The part where its object is now.
Shape shape_of(PartHandle part, const ObjectTable& objects, std::span<const BitMask> masks);

}  // namespace sweepd::collision
