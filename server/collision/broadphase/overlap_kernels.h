// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "collision/broadphase/box_lanes.h"
#include "collision/broadphase/cell_grid.h"
#include "collision/broadphase/packed_box.h"
#include "collision/broadphase/slot_pairs.h"

/// The inner loops of sweep and prune, in vectors of whatever width the processor has: the choice is made at
/// run time (see simd_target.h) and never shows in a result, as everything is compared in integers. Pairs are
/// appended to `hits`, and no more are looked for once it is over its limit; a box equal to kNoBox meets
/// nothing.
namespace sweepd::collision::kernels {

/// Every (query, box) that overlap, as indices. Best where there are fewer queries than boxes.
void scan(std::span<const PackedBox> queries, std::span<const PackedBox> boxes, SlotPairs& hits);

/// Every two of `boxes` that overlap, the lower index first.
void scan_self(std::span<const PackedBox> boxes, SlotPairs& hits);

/// Boxes as they were and as they are.
struct BoxTimes {
  const PackedBox* before = nullptr;
  const PackedBox* now = nullptr;
  std::size_t count = 0;
};

/// Every (query, box) that overlapped and no longer do, or the other way round, as indices.
void scan_changes(const BoxTimes& queries, const BoxTimes& boxes, SlotPairs& hits);

/// What filing found out.
struct Extents {
  std::uint32_t width = 0;  ///< Largest of the boxes that got a cell.
  std::uint32_t height = 0;
};

/// Writes the cell of each box; window.cells() for one too large, window.cells() + 1 for kNoBox.
Extents find_cells(const CellWindow& window, std::span<const PackedBox> boxes, std::uint32_t* cells);

/// Writes boxes[slots[i]] to the lanes, which have room for them.
void gather_lanes(std::span<const PackedBox> boxes, std::span<const std::uint32_t> slots,
                  const BoxLanes& lanes);

/// Every two boxes filed in the cells that overlap, as slots. `lanes`: the boxes in the order of the cells.
void sweep_cells_self(const CellGrid& grid, const BoxLanes& lanes, SlotPairs& hits);

/// Every (query, box filed in the cells) that overlap, as (index of query, slot).
void sweep_cells(std::span<const PackedBox> queries, const CellGrid& grid, const BoxLanes& lanes,
                 SlotPairs& hits);

/// The same without lanes: for a few queries, which are not worth gathering them. `boxes`: by slot.
void search_cells(std::span<const PackedBox> queries, const CellGrid& grid, const PackedBox* boxes,
                  SlotPairs& hits);

/// Appends to `found` those of `pairs` whose boxes a[first] and b[second] do not overlap.
void find_apart(const SlotPairs& pairs, const PackedBox* a, const PackedBox* b, SlotPairs& found);

}  // namespace sweepd::collision::kernels
