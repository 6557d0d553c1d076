// SPDX-License-Identifier: MIT
#include "collision/broadphase/overlap_finder.h"

#include <algorithm>

#include "collision/broadphase/overlap_kernels.h"

namespace sweepd::collision {
namespace {

bool is_scan_cheaper(std::size_t comparisons, std::size_t boxes, const SweepTuning& tuning) {
  return comparisons <= tuning.scan_comparisons_per_box * boxes;
}

}  // namespace

void OverlapFinder::find(Boxes a, Boxes b, const SweepTuning& tuning, WindowFit& fit, SlotPairs& found) {
  found.clear();
  const bool is_swapped = a.size() > b.size();
  const Boxes few = is_swapped ? b : a;
  const Boxes many = is_swapped ? a : b;
  if (is_scan_cheaper(few.size() * many.size(), few.size() + many.size(), tuning)) {
    kernels::scan(few, many, found);
  } else {
    sort(many, fit.fit(many, tuning.sorts_per_fit));
    kernels::sweep_cells(few, order_.grid(), lanes_, found);
    find_large(few, many, found);
  }
  if (is_swapped) found.swap_columns();
}

void OverlapFinder::find_self(Boxes boxes, const SweepTuning& tuning, WindowFit& fit, SlotPairs& found) {
  found.clear();
  if (is_scan_cheaper(boxes.size() * boxes.size() / 2, boxes.size(), tuning)) {
    kernels::scan_self(boxes, found);
  } else {
    sort(boxes, fit.fit(boxes, tuning.sorts_per_fit));
    kernels::sweep_cells_self(order_.grid(), lanes_, found);
    find_large_self(boxes, found);
  }
}

void OverlapFinder::sort(Boxes boxes, const CellWindow& window) {
  order_.sort(boxes, window, cells_);
  lanes_.resize(boxes.size());
  kernels::gather_lanes(boxes, order_.filed(), lanes_);
}

void OverlapFinder::find_large(Boxes few, Boxes many, SlotPairs& found) {
  if (order_.large().empty()) return;
  large_.clear();
  for (const std::uint32_t slot : order_.large()) large_.push_back(many[slot]);
  large_found_.clear();
  large_found_.set_limit(found.limit());
  kernels::scan(large_, few, large_found_);
  for (std::size_t i = 0; i < large_found_.size(); ++i) {
    found.push(large_found_.second()[i], order_.large()[large_found_.first()[i]]);
  }
}

void OverlapFinder::find_large_self(Boxes boxes, SlotPairs& found) {
  if (order_.large().empty()) return;
  large_.clear();
  for (const std::uint32_t slot : order_.large()) large_.push_back(boxes[slot]);
  large_found_.clear();
  large_found_.set_limit(found.limit());
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
