// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "collision/object_table.h"

namespace sweepd::collision {

/// Which part of which object a handle of the broadphase names. An object's handles are consecutive.
class PartTable {
 public:
  struct Owner {
    ObjectSlot object = 0;
    std::uint8_t part = 0;
    LayerId layer = 0;
  };

  const Owner& operator[](PartHandle handle) const { return owners_[handle]; }

  /// Handles for all of the object's parts; the first one.
  PartHandle assign(ObjectSlot object, const std::vector<Part>& parts);
  /// The handles keep their meaning until `recycle`.
  void release(PartHandle first, std::uint8_t count);
  /// Makes the released handles available again.
  void recycle();
  void clear();

 private:
  struct Range {
    PartHandle first;
    std::uint8_t count;
  };

  std::vector<Owner> owners_;
  std::array<std::vector<PartHandle>, kPartsMax + 1> free_;  // First handles of free ranges, by count.
  std::vector<Range> released_;
};

}  // namespace sweepd::collision
