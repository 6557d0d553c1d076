// SPDX-License-Identifier: MIT
//
// A uniform grid, filled anew for every pair of layers: the smaller layer's parts are filed in every cell
// that they touch, the larger one's look into theirs. A pair that shares several cells counts in one of them
// only.
#include <algorithm>

#include "bench/contender.h"
#include "bench/pair_history.h"
#include "bench/placed_parts.h"

namespace sweepd::bench {
namespace {

using collision::Box;
using collision::Subunits;
using Parts = std::span<const PlacedParts::Placed>;

/// Ranges of columns and rows, ends included.
struct Cells {
  std::int32_t first_column = 0, first_row = 0, last_column = 0, last_row = 0;
};

/// Cells are as large as twice the mean part, so that most parts touch one or two. Invariant: a power of two,
/// as finding a cell is then a shift.
class CellSize {
 public:
  static CellSize of(Parts parts) {
    std::int64_t sum = 0;
    for (const auto& placed : parts) {
      sum += placed.box.max_x - placed.box.min_x + placed.box.max_y - placed.box.min_y;
    }
    const std::int64_t wanted = sum / static_cast<std::int64_t>(parts.size());
    CellSize size;
    while ((std::int64_t{1} << size.shift_) < wanted) ++size.shift_;
    return size;
  }

  std::int32_t shift() const { return shift_; }

 private:
  std::int32_t shift_ = 8;
};

class PlainGrid : public Contender {
 public:
  explicit PlainGrid(const Arena& arena) : bounds_(arena.bounds), parts_(arena.matrix) {}

  void tick(const collision::PartChanges& parts, collision::OverlapChanges& overlaps) override {
    parts_.apply(parts);
    history_.begin_tick(overlaps);
    for (const auto& [smaller, larger] : parts_.layer_pairs()) {
      const Parts filed = parts_.on_layer(smaller);
      lay_out(filed);
      if (smaller == larger) {
        meet_themselves(filed);
      } else {
        for (std::uint32_t i = 0; i < filed.size(); ++i) file(filed[i].box, i);
        for (const auto& placed : parts_.on_layer(larger)) look(placed, filed);
      }
    }
    history_.end_tick();
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Filed {
    std::uint32_t index = 0;  ///< In its layer.
    std::uint32_t next = kNone;
  };

  void lay_out(Parts filed) {
    shift_ = CellSize::of(filed).shift();
    columns_ = ((bounds_.max_x - bounds_.min_x) >> shift_) + 1;
    const std::int32_t rows = ((bounds_.max_y - bounds_.min_y) >> shift_) + 1;
    heads_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows), kNone);
    filed_.clear();
  }

  Cells cells_of(const Box& box) const {
    return {(box.min_x - bounds_.min_x) >> shift_, (box.min_y - bounds_.min_y) >> shift_,
            (box.max_x - bounds_.min_x) >> shift_, (box.max_y - bounds_.min_y) >> shift_};
  }

  std::uint32_t& head(std::int32_t column, std::int32_t row) {
    return heads_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(column)];
  }

  template <typename Visit>
  void for_each_cell(const Box& box, Visit visit) {
    const Cells cells = cells_of(box);
    for (std::int32_t row = cells.first_row; row <= cells.last_row; ++row) {
      for (std::int32_t column = cells.first_column; column <= cells.last_column; ++column) {
        visit(column, row);
      }
    }
  }

  void file(const Box& box, std::uint32_t index) {
    for_each_cell(box, [&](std::int32_t column, std::int32_t row) {
      std::uint32_t& first = head(column, row);
      filed_.push_back({index, first});
      first = static_cast<std::uint32_t>(filed_.size() - 1);
    });
  }

  void look(const PlacedParts::Placed& placed, Parts filed) {
    for_each_cell(placed.box, [&](std::int32_t column, std::int32_t row) {
      for (std::uint32_t i = head(column, row); i != kNone; i = filed_[i].next) {
        meet(placed, filed[filed_[i].index], column, row);
      }
    });
  }

  /// Whoever is filed looks first: every pair is met once.
  void meet_themselves(Parts filed) {
    for (std::uint32_t i = 0; i < filed.size(); ++i) {
      look(filed[i], filed);
      file(filed[i].box, i);
    }
  }

  void meet(const PlacedParts::Placed& a, const PlacedParts::Placed& b, std::int32_t column,
            std::int32_t row) {
    if (!overlap(a.box, b.box) || a.object == b.object) return;
    // Of all cells that they share, the one in which their intersection begins.
    const Subunits x = std::max(a.box.min_x, b.box.min_x) - bounds_.min_x;
    const Subunits y = std::max(a.box.min_y, b.box.min_y) - bounds_.min_y;
    if (x >> shift_ == column && y >> shift_ == row) history_.found(a.part, b.part);
  }

  Box bounds_;
  PlacedParts parts_;
  PairHistory history_;
  std::int32_t shift_ = 0;
  std::int32_t columns_ = 0;
  std::vector<std::uint32_t> heads_;  // The first of each cell's chain in filed_.
  std::vector<Filed> filed_;
};

}  // namespace

std::unique_ptr<Contender> make_plain_grid(const Arena& arena) { return std::make_unique<PlainGrid>(arena); }

}  // namespace sweepd::bench
