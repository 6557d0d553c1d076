// SPDX-License-Identifier: MIT
#include "collision/broadphase/overlap_kernels.h"

#include "collision/broadphase/simd_target.h"

// Compiled once for every kind of vector, the emulated one included, so that tests can run them all.
#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/broadphase/overlap_kernels.cpp"
#include <hwy/foreach_target.h>  // Must come before highway.h.
#include <hwy/highway.h>

#include "collision/broadphase/overlap_kernels-inl.h"

#if HWY_ONCE
namespace sweepd::collision::kernels {

HWY_EXPORT(Scan);
HWY_EXPORT(ScanSelf);
HWY_EXPORT(ScanChanges);
HWY_EXPORT(FindCells);
HWY_EXPORT(GatherLanes);
HWY_EXPORT(SweepCellsSelf);
HWY_EXPORT(SweepCells);
HWY_EXPORT(SearchCells);
HWY_EXPORT(FindApart);

void scan(std::span<const PackedBox> queries, std::span<const PackedBox> boxes, SlotPairs& hits) {
  HWY_DYNAMIC_DISPATCH(Scan)(queries, boxes, hits);
}

void scan_self(std::span<const PackedBox> boxes, SlotPairs& hits) {
  HWY_DYNAMIC_DISPATCH(ScanSelf)(boxes, hits);
}

void scan_changes(const BoxTimes& queries, const BoxTimes& boxes, SlotPairs& hits) {
  HWY_DYNAMIC_DISPATCH(ScanChanges)(queries, boxes, hits);
}

Extents find_cells(const CellWindow& window, std::span<const PackedBox> boxes, std::uint32_t* cells) {
  return HWY_DYNAMIC_DISPATCH(FindCells)(window, boxes, cells);
}

void gather_lanes(std::span<const PackedBox> boxes, std::span<const std::uint32_t> slots,
                  const BoxLanes& lanes) {
  HWY_DYNAMIC_DISPATCH(GatherLanes)(boxes, slots, lanes);
}

void sweep_cells_self(const CellGrid& grid, const BoxLanes& lanes, SlotPairs& hits) {
  HWY_DYNAMIC_DISPATCH(SweepCellsSelf)(grid, lanes, hits);
}

void sweep_cells(std::span<const PackedBox> queries, const CellGrid& grid, const BoxLanes& lanes,
                 SlotPairs& hits) {
  HWY_DYNAMIC_DISPATCH(SweepCells)(queries, grid, lanes, hits);
}

void search_cells(std::span<const PackedBox> queries, const CellGrid& grid, const PackedBox* boxes,
                  SlotPairs& hits) {
  HWY_DYNAMIC_DISPATCH(SearchCells)(queries, grid, boxes, hits);
}

void find_apart(const SlotPairs& pairs, const PackedBox* a, const PackedBox* b, SlotPairs& found) {
  HWY_DYNAMIC_DISPATCH(FindApart)(pairs, a, b, found);
}

}  // namespace sweepd::collision::kernels

namespace sweepd::collision {
namespace {

std::int64_t runnable_targets() {
  hwy::SetSupportedTargetsForTest(0);  // All that the processor has.
  return (hwy::SupportedTargets() | HWY_EMU128 | HWY_SCALAR) & HWY_TARGETS;
}

}  // namespace

std::vector<std::string_view> simd_targets() {
  std::vector<std::string_view> names;
  const std::string_view used = simd_target();
  for (std::int64_t left = runnable_targets(); left != 0; left &= left - 1) {
    names.emplace_back(hwy::TargetName(left & -left));  // Lower bits are better targets.
  }
  use_simd_target(used);
  return names;
}

std::string_view simd_target() {
  if (!hwy::GetChosenTarget().IsInitialized()) hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const std::int64_t chosen = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(chosen & -chosen);
}

bool use_simd_target(std::string_view name) {
  const std::int64_t used = hwy::SupportedTargets();
  for (std::int64_t left = runnable_targets(); left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    if (hwy::TargetName(target) != name) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return true;
  }
  hwy::SetSupportedTargetsForTest(used);
  return false;
}

}  // namespace sweepd::collision
#endif  // HWY_ONCE
