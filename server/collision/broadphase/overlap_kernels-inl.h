// SPDX-License-Identifier: MIT
// Included by overlap_kernels.cpp once for every kind of vector; hence the guard that toggles.
#if defined(SWEEPD_OVERLAP_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SWEEPD_OVERLAP_KERNELS_INL
#undef SWEEPD_OVERLAP_KERNELS_INL
#else
#define SWEEPD_OVERLAP_KERNELS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sweepd::collision::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using IntTag = hn::ScalableTag<std::int32_t>;
using SlotTag = hn::ScalableTag<std::uint32_t>;
using IntVector = hn::Vec<IntTag>;
using IntMask = hn::Mask<IntTag>;

static_assert(hn::MaxLanes(IntTag()) <= BoxLanes::kLanesBeyond);

/// Four lanes of as many boxes as a vector holds.
struct BoxVectors {
  IntVector min_x, min_y, not_max_x, not_max_y;
};

HWY_INLINE BoxVectors load_boxes(const PackedBox* boxes) {
  BoxVectors v;
  hn::LoadInterleaved4(IntTag(), &boxes->min_x, v.min_x, v.min_y, v.not_max_x, v.not_max_y);
  return v;
}

/// One box, to be compared with many: each lane of theirs may be at most this.
struct Limits {
  IntVector max_x, max_y, not_min_x, not_min_y;
};

HWY_INLINE Limits limits_of(const PackedBox& box) {
  const IntTag d;
  return {hn::Not(hn::Set(d, box.not_max_x)), hn::Not(hn::Set(d, box.not_max_y)),
          hn::Not(hn::Set(d, box.min_x)), hn::Not(hn::Set(d, box.min_y))};
}

/// begin, begin + 1, … An Iota that starts at a variable is put together number by number.
HWY_INLINE hn::Vec<SlotTag> indices_from(std::size_t begin) {
  const SlotTag d;
  return hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<std::uint32_t>(begin)));
}

/// Where the two do not overlap.
HWY_INLINE IntMask apart(const BoxVectors& boxes, const Limits& limits) {
  const IntMask x = hn::Or(hn::Gt(boxes.min_x, limits.max_x), hn::Gt(boxes.not_max_x, limits.not_min_x));
  const IntMask y = hn::Or(hn::Gt(boxes.min_y, limits.max_y), hn::Gt(boxes.not_max_y, limits.not_min_y));
  return hn::Or(x, y);
}

/// Appends to pairs, with the place to write at in a register: stores through the columns could, for all the
/// compiler knows, change a size in memory.
class Writer {
 public:
  HWY_INLINE explicit Writer(SlotPairs& pairs) : pairs_(pairs) { load(); }
  HWY_INLINE ~Writer() { pairs_.set_size(size_); }

  /// Room for `count` more, and a vector beyond.
  HWY_INLINE void reserve(std::size_t count) {
    if (HWY_UNLIKELY(size_ + count + hn::Lanes(SlotTag()) > capacity_)) grow(count);
  }

  HWY_INLINE bool is_over_limit() const { return HWY_UNLIKELY(size_ > limit_); }

  /// Appends (first, each of `seconds` where `mask` is set).
  HWY_INLINE void append(std::uint32_t first, hn::Vec<SlotTag> seconds, IntMask mask) {
    const SlotTag d;
    hn::StoreU(hn::Set(d, first), d, first_ + size_);
    // Not CompressBlendedStore: compressing straight to memory is very slow on some processors.
    hn::StoreU(hn::Compress(seconds, hn::RebindMask(d, mask)), d, second_ + size_);
    size_ += hn::CountTrue(IntTag(), mask);
  }

 private:
  HWY_INLINE void load() {
    first_ = pairs_.first();
    second_ = pairs_.second();
    size_ = pairs_.size();
    capacity_ = pairs_.capacity();
    limit_ = pairs_.limit();
  }
  HWY_NOINLINE void grow(std::size_t count) {
    pairs_.set_size(size_);
    pairs_.reserve_more(count + hn::Lanes(SlotTag()));
    load();
  }

  SlotPairs& pairs_;
  std::uint32_t* HWY_RESTRICT first_ = nullptr;
  std::uint32_t* HWY_RESTRICT second_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t limit_ = 0;
};

/// Queries turned into what is compared with, so that it is loaded straight into all lanes. In chunks: the
/// loop over the boxes runs within, with these at hand.
constexpr std::size_t kChunk = 64;

struct LimitLanes {
  Subunits max_x, max_y, not_min_x, not_min_y;
};

HWY_INLINE Limits load_limits(const LimitLanes& lanes) {
  const IntTag d;
  return {hn::Set(d, lanes.max_x), hn::Set(d, lanes.max_y), hn::Set(d, lanes.not_min_x),
          hn::Set(d, lanes.not_min_y)};
}

HWY_INLINE LimitLanes lanes_of(const PackedBox& box) {
  return {~box.not_max_x, ~box.not_max_y, ~box.min_x, ~box.min_y};
}

/// Which of a chunk's queries met something in a block, and what. Kept first and written out after: a branch
/// at each comparison would be mispredicted at nearly every hit.
class BlockHits {
 public:
  HWY_INLINE void note(std::uint32_t query, IntMask are_apart) {
    hn::StoreMaskBits(IntTag(), are_apart, masks_[count_]);
    queries_[count_] = query;
    count_ += hn::AllTrue(IntTag(), are_apart) ? 0 : 1;
  }

  HWY_INLINE void write(hn::Vec<SlotTag> indices, Writer& hits) {
    hits.reserve(count_ * hn::Lanes(IntTag()));
    for (std::size_t i = 0; i < count_; ++i) {
      hits.append(queries_[i], indices, hn::Not(hn::LoadMaskBits(IntTag(), masks_[i])));
    }
    count_ = 0;
  }

 private:
  std::size_t count_ = 0;
  std::uint32_t queries_[kChunk + 1];
  std::uint8_t masks_[kChunk + 1][8];
};

/// A block of boxes in registers against `count` queries, the first of which has the index `first`.
HWY_INLINE void scan_block(const LimitLanes* queries, std::size_t count, std::uint32_t first,
                           const BoxVectors& block, BlockHits& hits) {
  for (std::size_t i = 0; i < count; ++i) {
    hits.note(first + static_cast<std::uint32_t>(i), apart(block, load_limits(queries[i])));
  }
}

/// The boxes from `begin` on, as many as there are; what lies past the end meets nothing.
HWY_INLINE BoxVectors load_tail(std::span<const PackedBox> boxes, std::size_t begin) {
  PackedBox tail[hn::MaxLanes(IntTag())];
  const std::size_t count = boxes.size() - begin;
  for (std::size_t i = 0; i < hn::Lanes(IntTag()); ++i) tail[i] = i < count ? boxes[begin + i] : kNoBox;
  return load_boxes(tail);
}

HWY_INLINE BoxVectors load_block(std::span<const PackedBox> boxes, std::size_t begin) {
  const bool is_whole = begin + hn::Lanes(IntTag()) <= boxes.size();
  return is_whole ? load_boxes(&boxes[begin]) : load_tail(boxes, begin);
}

/// The blocks of boxes from index `begin` on, against up to kChunk queries.
HWY_INLINE void scan_chunk(std::span<const PackedBox> queries, std::size_t first,
                           std::span<const PackedBox> boxes, std::size_t begin, Writer& hits) {
  const SlotTag d;
  LimitLanes limits[kChunk];
  const std::size_t count = std::min(kChunk, queries.size() - first);
  for (std::size_t i = 0; i < count; ++i) limits[i] = lanes_of(queries[first + i]);
  BlockHits block_hits;
  for (; begin < boxes.size() && !hits.is_over_limit(); begin += hn::Lanes(d)) {
    scan_block(limits, count, static_cast<std::uint32_t>(first), load_block(boxes, begin), block_hits);
    block_hits.write(indices_from(begin), hits);
  }
}

void Scan(std::span<const PackedBox> queries, std::span<const PackedBox> boxes, SlotPairs& hits) {
  Writer writer(hits);
  for (std::size_t first = 0; first < queries.size() && !writer.is_over_limit(); first += kChunk) {
    scan_chunk(queries, first, boxes, 0, writer);
  }
}

/// Every two within a chunk.
HWY_INLINE void scan_triangle(std::span<const PackedBox> boxes, std::size_t first, std::size_t end,
                              Writer& hits) {
  const SlotTag d;
  LimitLanes limits[kChunk];
  for (std::size_t i = first; i < end; ++i) limits[i - first] = lanes_of(boxes[i]);
  BlockHits block_hits;
  for (std::size_t begin = first; begin < end; begin += hn::Lanes(d)) {
    const BoxVectors block = load_block(boxes.first(end), begin);
    scan_block(limits, begin - first, static_cast<std::uint32_t>(first), block, block_hits);
    const std::size_t block_end = std::min(begin + hn::Lanes(d), end);
    for (std::size_t i = begin; i < block_end; ++i) {  // Within the block, each with those after it.
      const IntMask not_later = hn::FirstN(IntTag(), i - begin + 1);
      const IntMask are_apart = apart(block, load_limits(limits[i - first]));
      block_hits.note(static_cast<std::uint32_t>(i), hn::Or(are_apart, not_later));
    }
    block_hits.write(indices_from(begin), hits);
  }
}

void ScanSelf(std::span<const PackedBox> boxes, SlotPairs& hits) {
  static_assert(kChunk % hn::MaxLanes(IntTag()) == 0);  // What comes after a chunk begins with a block.
  Writer writer(hits);
  for (std::size_t first = 0; first < boxes.size() && !writer.is_over_limit(); first += kChunk) {
    const std::size_t end = std::min(first + kChunk, boxes.size());
    scan_triangle(boxes, first, end, writer);
    scan_chunk(boxes, first, boxes, end, writer);
  }
}

void ScanChanges(const BoxTimes& queries, const BoxTimes& boxes, SlotPairs& hits) {
  const SlotTag d;
  Writer writer(hits);
  for (std::size_t begin = 0; begin < boxes.count && !writer.is_over_limit(); begin += hn::Lanes(d)) {
    const BoxVectors before = load_block({boxes.before, boxes.count}, begin);
    const BoxVectors now = load_block({boxes.now, boxes.count}, begin);
    const auto indices = indices_from(begin);
    for (std::size_t i = 0; i < queries.count; ++i) {
      const IntMask were_apart = apart(before, limits_of(queries.before[i]));
      const IntMask are_apart = apart(now, limits_of(queries.now[i]));
      const IntMask changed = hn::Xor(were_apart, are_apart);
      if (hn::AllFalse(IntTag(), changed)) continue;
      writer.reserve(0);
      writer.append(static_cast<std::uint32_t>(i), indices, changed);
    }
  }
}

/// The column of each min x, or the row of each min y.
HWY_INLINE IntVector cells_along(IntVector min, Subunits origin, std::uint32_t last, std::uint32_t shift) {
  const IntTag d;
  const SlotTag du;
  // Clamped below in signed, above in unsigned numbers: then no difference overflows.
  const auto offset = hn::BitCast(du, hn::Sub(hn::Max(min, hn::Set(d, origin)), hn::Set(d, origin)));
  const auto clamped = hn::Min(offset, hn::Set(du, last));
  return hn::BitCast(d, hn::ShiftRightSame(clamped, static_cast<int>(shift)));
}

struct CellVectors {
  IntVector cell;
  hn::Vec<SlotTag> width, height;  // 0 where there is no cell.
};

HWY_INLINE CellVectors cells_of(const CellWindow& window, const BoxVectors& boxes) {
  const IntTag d;
  const SlotTag du;
  const IntVector column = cells_along(boxes.min_x, window.origin_x, window.last_x, window.shift_x);
  const IntVector row = cells_along(boxes.min_y, window.origin_y, window.last_y, window.shift_y);
  const IntVector max_x = hn::Not(boxes.not_max_x);
  const auto width = hn::BitCast(du, hn::Sub(max_x, boxes.min_x));
  const auto height = hn::BitCast(du, hn::Sub(hn::Not(boxes.not_max_y), boxes.min_y));
  const IntMask large = hn::RebindMask(d, hn::Or(hn::Gt(width, hn::Set(du, window.width_max)),
                                                 hn::Gt(height, hn::Set(du, window.height_max))));
  const IntMask none = hn::Gt(boxes.min_x, max_x);
  const auto cells = static_cast<std::int32_t>(window.cells());
  IntVector cell = hn::Add(hn::Mul(row, hn::Set(d, static_cast<std::int32_t>(window.columns))), column);
  cell = hn::IfThenElse(large, hn::Set(d, cells), cell);
  cell = hn::IfThenElse(none, hn::Set(d, cells + 1), cell);
  const auto apart = hn::RebindMask(du, hn::Or(large, none));
  return {cell, hn::IfThenZeroElse(apart, width), hn::IfThenZeroElse(apart, height)};
}

Extents FindCells(const CellWindow& window, std::span<const PackedBox> boxes, std::uint32_t* cells) {
  const SlotTag d;
  auto width = hn::Zero(d);
  auto height = hn::Zero(d);
  for (std::size_t begin = 0; begin < boxes.size(); begin += hn::Lanes(d)) {
    const CellVectors found = cells_of(window, load_block(boxes, begin));
    hn::StoreU(hn::BitCast(d, found.cell), d, cells + begin);
    width = hn::Max(width, found.width);
    height = hn::Max(height, found.height);
  }
  return {hn::GetLane(hn::MaxOfLanes(d, width)), hn::GetLane(hn::MaxOfLanes(d, height))};
}

void GatherLanes(std::span<const PackedBox> boxes, std::span<const std::uint32_t> slots,
                 const BoxLanes& lanes) {
  const IntTag d;
  PackedBox block[hn::MaxLanes(IntTag())] = {};
  for (std::size_t begin = 0; begin < slots.size(); begin += hn::Lanes(d)) {
    const std::size_t count = std::min(hn::Lanes(d), slots.size() - begin);
    for (std::size_t i = 0; i < count; ++i) block[i] = boxes[slots[begin + i]];
    const BoxVectors vectors = load_boxes(block);
    hn::StoreU(vectors.min_x, d, lanes.min_x() + begin);
    hn::StoreU(vectors.min_y, d, lanes.min_y() + begin);
    hn::StoreU(vectors.not_max_x, d, lanes.not_max_x() + begin);
    hn::StoreU(vectors.not_max_y, d, lanes.not_max_y() + begin);
  }
}

/// The columns of BoxLanes and the slots beside them, in registers.
struct Columns {
  Columns(const BoxLanes& lanes, const CellGrid& grid)
      : min_x(lanes.min_x()),
        min_y(lanes.min_y()),
        not_max_x(lanes.not_max_x()),
        not_max_y(lanes.not_max_y()),
        slots(grid.slots) {}
  const Subunits* HWY_RESTRICT min_x;
  const Subunits* HWY_RESTRICT min_y;
  const Subunits* HWY_RESTRICT not_max_x;
  const Subunits* HWY_RESTRICT not_max_y;
  const std::uint32_t* HWY_RESTRICT slots;
};

/// One box against the filed ones from `begin` to `end`, for which `hits` has room. Branch-free per vector:
/// whether a neighbour is hit cannot be predicted.
HWY_INLINE void sweep_range(const Columns& columns, const Limits& limits, std::uint32_t first,
                            std::size_t begin, std::size_t end, Writer& hits) {
  const IntTag d;
  const SlotTag du;
  for (std::size_t at = begin; at < end; at += hn::Lanes(d)) {
    const BoxVectors boxes{hn::LoadU(d, columns.min_x + at), hn::LoadU(d, columns.min_y + at),
                           hn::LoadU(d, columns.not_max_x + at), hn::LoadU(d, columns.not_max_y + at)};
    const IntMask mask = hn::AndNot(apart(boxes, limits), hn::FirstN(d, end - at));
    hits.append(first, hn::LoadU(du, columns.slots + at), mask);
  }
}

/// Each box looks at those after it in its own row, and at whole ranges of the rows below it: of two that
/// overlap, one comes first in the order of cells and finds the other.
void SweepCellsSelf(const CellGrid& grid, const BoxLanes& lanes, SlotPairs& hits) {
  const CellWindow window = grid.window;
  const std::uint32_t filed_count = grid.begins[window.cells()];
  const Columns columns(lanes, grid);
  Writer writer(hits);
  for (std::uint32_t row = 0; row < window.rows; ++row) {
    const std::uint32_t* begins = grid.begins + std::size_t{row} * window.columns;
    for (std::uint32_t i = begins[0]; i < begins[window.columns]; ++i) {
      if (writer.is_over_limit()) return;
      writer.reserve(filed_count -
                     i);  // Once a box: a call within would put vectors from registers to memory.
      const PackedBox box{columns.min_x[i], columns.min_y[i], columns.not_max_x[i], columns.not_max_y[i]};
      const Limits limits = limits_of(box);
      const std::uint32_t last = window.column_of(~box.not_max_x) + 1;
      sweep_range(columns, limits, columns.slots[i], i + 1, begins[last], writer);
      const std::uint32_t last_row = window.row_of(~box.not_max_y);
      if (last_row == row) continue;
      const std::uint32_t first = window.column_of(std::int64_t{box.min_x} - grid.width);
      for (std::uint32_t below = row + 1; below <= last_row; ++below) {
        const std::uint32_t* cells = grid.begins + std::size_t{below} * window.columns;
        sweep_range(columns, limits, columns.slots[i], cells[first], cells[last], writer);
      }
    }
  }
}

/// Calls search(begin, end) for each row's range of the slots that may overlap `box`.
template <typename Search>
HWY_INLINE void for_ranges(const CellGrid& grid, const PackedBox& box, const Search& search) {
  if (box.min_x > ~box.not_max_x) return;  // kNoBox.
  const CellWindow& window = grid.window;
  const std::uint32_t first = window.column_of(std::int64_t{box.min_x} - grid.width);
  const std::uint32_t last = window.column_of(~box.not_max_x) + 1;
  const std::uint32_t first_row = window.row_of(std::int64_t{box.min_y} - grid.height);
  const std::uint32_t last_row = window.row_of(~box.not_max_y);
  for (std::uint32_t row = first_row; row <= last_row; ++row) {
    const std::uint32_t* cells = grid.begins + std::size_t{row} * window.columns;
    search(cells[first], cells[last]);
  }
}

void SweepCells(std::span<const PackedBox> queries, const CellGrid& grid, const BoxLanes& lanes,
                SlotPairs& hits) {
  const CellGrid local = grid;
  const Columns columns(lanes, grid);
  const std::uint32_t filed_count = local.begins[local.window.cells()];
  Writer writer(hits);
  for (std::size_t i = 0; i < queries.size() && !writer.is_over_limit(); ++i) {
    writer.reserve(filed_count);
    const Limits limits = limits_of(queries[i]);
    for_ranges(local, queries[i], [&](std::uint32_t begin, std::uint32_t end) HWY_ATTR {
      sweep_range(columns, limits, static_cast<std::uint32_t>(i), begin, end, writer);
    });
  }
}

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE bool are_apart(const PackedBox& a, const PackedBox& b) { return !overlap(a, b); }
#else
/// One comparison of four lanes.
HWY_INLINE bool are_apart(const PackedBox& a, const PackedBox& b) {
  const hn::FixedTag<std::int32_t, 4> d;
  const auto limits = hn::Not(hn::Shuffle1032(hn::LoadU(d, &b.min_x)));
  return !hn::AllFalse(d, hn::Gt(hn::LoadU(d, &a.min_x), limits));
}
#endif

void SearchCells(std::span<const PackedBox> queries, const CellGrid& grid, const PackedBox* boxes,
                 SlotPairs& hits) {
  for (std::size_t i = 0; i < queries.size() && !hits.is_over_limit(); ++i) {
    for_ranges(grid, queries[i], [&](std::uint32_t begin, std::uint32_t end) HWY_ATTR {
      for (std::uint32_t at = begin; at < end; ++at) {
        const std::uint32_t slot = grid.slots[at];
        if (!are_apart(boxes[slot], queries[i])) hits.push(static_cast<std::uint32_t>(i), slot);
      }
    });
  }
}

void FindApart(const SlotPairs& pairs, const PackedBox* a, const PackedBox* b, SlotPairs& found) {
  const std::uint32_t* HWY_RESTRICT pair_first = pairs.first();
  const std::uint32_t* HWY_RESTRICT pair_second = pairs.second();
  for (std::size_t begin = 0; begin < pairs.size(); begin += kChunk) {
    const std::size_t end = std::min(begin + kChunk, pairs.size());
    found.reserve_more(kChunk + 1);
    std::uint32_t* HWY_RESTRICT first = found.first();
    std::uint32_t* HWY_RESTRICT second = found.second();
    std::size_t size = found.size();
    for (std::size_t i = begin; i < end; ++i) {  // Branch-free: which pairs part cannot be predicted.
      first[size] = pair_first[i];
      second[size] = pair_second[i];
      size += are_apart(a[pair_first[i]], b[pair_second[i]]) ? 1 : 0;
    }
    found.set_size(size);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sweepd::collision::kernels
HWY_AFTER_NAMESPACE();
#endif  // guard
