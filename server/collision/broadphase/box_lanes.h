// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "collision/geometry.h"

namespace sweepd::collision {

/// Boxes with a column for each lane of PackedBox, so that a vector reads one lane of many. There are
/// kLanesBeyond entries past the end that vectors may read and write.
class BoxLanes {
 public:
  static constexpr std::size_t kLanesBeyond = 64;

  /// Room for `count` boxes, whose lanes are not set.
  void resize(std::size_t count);

  Subunits* min_x() const { return lanes_.get(); }
  Subunits* min_y() const { return lanes_.get() + stride_; }
  Subunits* not_max_x() const { return lanes_.get() + 2 * stride_; }
  Subunits* not_max_y() const { return lanes_.get() + 3 * stride_; }

 private:
  std::unique_ptr<Subunits[]> lanes_;
  std::size_t stride_ = 0;
};

}  // namespace sweepd::collision
