// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.h"
#include "collision/broadphase/broadphase.h"

namespace sweepd::collision {

enum class Axis : std::uint8_t { kX, kY };

/// A part's handle; with kGhost set, it stands for the place where the part was and no longer is.
using SweepTag = std::uint32_t;
inline constexpr SweepTag kGhost = SweepTag{1} << 31;
constexpr PartHandle handle_of(SweepTag tag) { return tag & ~kGhost; }
constexpr bool is_ghost(SweepTag tag) { return (tag & kGhost) != 0; }

/// What a box covers along the axis of a sweep and across it.
struct Extent {
  Subunits first = 0;
  Subunits last = 0;
  Subunits cross_first = 0;
  Subunits cross_last = 0;
};

constexpr Extent extent_of(const Box& box, Axis axis) {
  return axis == Axis::kX ? Extent{box.min_x, box.max_x, box.min_y, box.max_y}
                          : Extent{box.min_y, box.max_y, box.min_x, box.max_x};
}

/// Boxes as columns: a test of one box against a run of others reads memory in order, several at a time.
class SweepList {
 public:
  /// Columns may be read this far past their last entry, so that tests need not stop within a vector.
  static constexpr std::size_t kReadableBeyond = 32;

  /// Empties the list and makes room for `capacity` entries. Memory is kept from one filling to the next.
  void start(std::size_t capacity) {
    size_ = 0;
    if (capacity <= tags_.size()) return;
    for (std::vector<Subunits>* column : {&firsts_, &lasts_, &cross_firsts_, &cross_lasts_}) {
      column->resize(capacity + kReadableBeyond);
    }
    tags_.resize(capacity);
  }

  void append(const Box& box, Axis axis, SweepTag tag) {
    SWEEPD_ASSERT(size_ < tags_.size());
    const Extent extent = extent_of(box, axis);
    firsts_[size_] = extent.first;
    lasts_[size_] = extent.last;
    cross_firsts_[size_] = extent.cross_first;
    cross_lasts_[size_] = extent.cross_last;
    tags_[size_] = tag;
    ++size_;
  }

  std::size_t size() const { return size_; }
  Extent operator[](std::size_t i) const {
    return {firsts_[i], lasts_[i], cross_firsts_[i], cross_lasts_[i]};
  }
  SweepTag tag(std::size_t i) const { return tags_[i]; }

  const Subunits* firsts() const { return firsts_.data(); }
  const Subunits* lasts() const { return lasts_.data(); }
  const Subunits* cross_firsts() const { return cross_firsts_.data(); }
  const Subunits* cross_lasts() const { return cross_lasts_.data(); }

 private:
  std::vector<Subunits> firsts_;
  std::vector<Subunits> lasts_;
  std::vector<Subunits> cross_firsts_;
  std::vector<Subunits> cross_lasts_;
  std::vector<SweepTag> tags_;
  std::size_t size_ = 0;  // The columns may be longer.
};

}  // namespace sweepd::collision
