// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/object.h"

namespace sweepd::collision {

/// Where an object is stored. Not reused within a tick.
using ObjectSlot = std::uint32_t;
inline constexpr ObjectSlot kNoSlot = ~ObjectSlot{0};

/// Which part of which object a handle names.
struct PartOwner {
  ObjectSlot object : 26 = 0;
  std::uint32_t part : 6 = 0;
};

/// All parts of all objects of a world. An object's parts are consecutive, and a part's place is its handle
/// in the broadphase. An object of several parts has one more row after them, which is no part: the box
/// around all of them.
class PartPool {
 public:
  Part& operator[](PartHandle handle) { return parts_[handle]; }
  const Part& operator[](PartHandle handle) const { return parts_[handle]; }
  PartOwner owner(PartHandle handle) const { return owners_[handle]; }

  std::span<Part> parts(PartHandle first, std::uint8_t count) { return {&parts_[first], count}; }
  std::span<const Part> parts(PartHandle first, std::uint8_t count) const { return {&parts_[first], count}; }
  /// The smallest box around all parts of an object.
  const Box& bounds(PartHandle first, std::uint8_t count) const {
    return parts_[count == 1 ? first : first + count].box;
  }

  /// Stores copies of `parts`, 1 to kPartsMax, which must not lie in the pool; the handle of the first.
  PartHandle add(ObjectSlot owner, std::span<const Part> parts);
  /// The parts stay as they are until `recycle`: handles must not be given again within a tick.
  void release(PartHandle first, std::uint8_t count);
  /// Makes the room of released parts available.
  void recycle();
  void clear();

 private:
  struct Range {
    PartHandle first;
    std::uint8_t count;
  };

  static std::uint32_t rows_of(std::size_t count) {
    return static_cast<std::uint32_t>(count == 1 ? 1 : count + 1);
  }
  PartHandle take_rows(std::size_t count);

  std::vector<Part> parts_;
  std::vector<PartOwner> owners_;
  std::vector<Range> released_;
  std::vector<std::vector<PartHandle>> free_;  // By count of parts: first handles.
};

/// The smallest box around all `parts`; there is at least one.
Box bounds_of(std::span<const Part> parts);

/// Bit i: one of them is on layer i.
std::uint64_t layers_of(std::span<const Part> parts);

}  // namespace sweepd::collision
