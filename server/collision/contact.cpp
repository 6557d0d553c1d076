// SPDX-License-Identifier: MIT
#include "collision/contact.h"

#include <utility>

#include "base/assert.h"

namespace sweepd::collision {

Contact contact_of(PartHandle first, PartHandle second, const ObjectTable& objects) {
  const PartPool& parts = objects.parts();
  if (objects[parts.owner(first).object].id > objects[parts.owner(second).object].id)
    std::swap(first, second);
  const PartOwner a = parts.owner(first);
  const PartOwner b = parts.owner(second);
  const Contact contact{{objects[a.object].id, objects[b.object].id, parts[first].layer, parts[second].layer},
                        {static_cast<std::uint8_t>(a.part), static_cast<std::uint8_t>(b.part)}};
  SWEEPD_ASSERT(contact.key.object_a < contact.key.object_b);
  return contact;
}

Shape shape_of(PartHandle part, const ObjectTable& objects, std::span<const BitMask> masks) {
  const PartPool& parts = objects.parts();
  return place(parts[part], objects[parts.owner(part).object].position, masks);
}

}  // namespace sweepd::collision
