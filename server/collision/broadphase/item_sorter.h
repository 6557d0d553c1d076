// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collision/broadphase/sweep_list.h"

namespace sweepd::collision {

/// Where an entry starts along the axis, and its tag, in one word that compares like the former.
using SortItem = std::uint64_t;

constexpr SortItem make_sort_item(Subunits first, SweepTag tag) {
  return std::uint64_t{static_cast<std::uint32_t>(first) ^ 0x80000000u} << 32 | tag;
}
constexpr SweepTag tag_of(SortItem item) { return static_cast<SweepTag>(item); }

/// Sorts items, again and again. What is nearly in order from the last time is repaired by insertion; where
/// that proves too much work, everything is sorted anew, and so are the next few times, before insertion is
/// tried again.
class ItemSorter {
 public:
  void repair(std::vector<SortItem>& items);
  void sort(std::vector<SortItem>& items);
  /// Merges `more`, sorted, into `items`, sorted.
  static void merge(std::vector<SortItem>& items, const std::vector<SortItem>& more);

 private:
  std::uint32_t rests_ = 0;       // How many more times insertion is not even tried.
  std::vector<SortItem> buffer_;  // Kept for its memory only.
};

}  // namespace sweepd::collision
