// SPDX-License-Identifier: MIT
#include "collision/broadphase/overlap_finder.h"

#include <algorithm>

#include "collision/broadphase/overlap_kernels.h"

namespace sweepd::collision {
bool OverlapFinder::is_scan_cheaper(std::size_t comparisons, std::size_t boxes) const {
  return comparisons <= tuning_.scan_comparisons_per_box * boxes;
}

void OverlapFinder::find(Boxes a, Boxes b, SlotPairs& found) {
  found.clear();
  const bool is_swapped = a.size() > b.size();
  const Boxes few = is_swapped ? b : a;
  const Boxes many = is_swapped ? a : b;
  if (is_scan_cheaper(few.size() * many.size(), few.size() + many.size())) {
    kernels::scan(few, many, found);
  } else {
    find_sorted(few, many, found);
  }
  if (is_swapped) found.swap_columns();
}

void OverlapFinder::find_sorted(Boxes few, Boxes many, SlotPairs& found) {
  order_.sort(many, 0);
  kernels::sweep_cells(few, order_.grid(), found);
  if (!order_.large().empty()) find_large(few, many, found);
}

void OverlapFinder::find_large(Boxes few, Boxes many, SlotPairs& found) {
  large_.clear();
  for (const std::uint32_t slot : order_.large()) large_.push_back(many[slot]);
  large_found_.clear();
  kernels::scan(large_, few, large_found_);
  for (std::size_t i = 0; i < large_found_.size(); ++i) {
    found.push(large_found_.second()[i], order_.large()[large_found_.first()[i]]);
  }
}

void OverlapFinder::find_self(Boxes boxes, SlotPairs& found) {
  found.clear();
  if (is_scan_cheaper(boxes.size() * boxes.size() / 2, boxes.size())) {
    kernels::scan_self(boxes, found);
    return;
  }
  order_.sort(boxes, 0);
  kernels::sweep_cells_self(order_.grid(), found);
  if (!order_.large().empty()) find_large_self(boxes, found);
}

void OverlapFinder::find_large_self(Boxes boxes, SlotPairs& found) {
  large_.clear();
  for (const std::uint32_t slot : order_.large()) large_.push_back(boxes[slot]);
  large_found_.clear();
  kernels::scan(large_, boxes, large_found_);
  const auto large = order_.large();  // Ascending: sorting by counting keeps the order.
  for (std::size_t i = 0; i < large_found_.size(); ++i) {
    const std::uint32_t first = large[large_found_.first()[i]];
    const std::uint32_t second = large_found_.second()[i];
    // Of two large ones, the lower finds the other.
    if (second <= first && std::binary_search(large.begin(), large.end(), second)) continue;
    found.push(first, second);
  }
}

}  // namespace sweepd::collision
