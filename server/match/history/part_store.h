// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/object.h"

namespace sweepd::match {

/// Lists of parts, kept by handle until they are released. The room of what is released is given again.
class PartStore {
 public:
  /// A list of 1 to kPartsMax parts.
  struct List {
    std::uint32_t first = 0;
    std::uint8_t count = 0;
    friend bool operator==(const List&, const List&) = default;
  };

  List add(std::span<const collision::Part> parts);
  void release(List list);
  /// Valid until the next `add`.
  std::span<const collision::Part> parts(List list) const { return {&parts_[list.first], list.count}; }

  std::size_t bytes() const { return parts_.capacity() * sizeof(collision::Part); }

 private:
  std::vector<collision::Part> parts_;
  std::array<std::vector<std::uint32_t>, collision::kPartsMax + 1> free_;  // By count.
};

}  // namespace sweepd::match
