// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "replay/moment.h"
#include "tools/sweepctl/svg.h"

namespace sweepd::tools {

/// Where a part of the world is on a picture. Wide enough for the difference of any two coordinates.
class PictureView {
 public:
  /// Shows all of `region`, as large as it fits into `frame`, in its middle.
  PictureView(const collision::Box& region, const SvgRectangle& frame);

  const SvgRectangle& frame() const { return frame_; }
  double pixels_per_unit() const { return pixels_per_unit_; }

  double x_of(double subunits) const { return origin_.x + subunits / 256 * pixels_per_unit_; }
  double y_of(double subunits) const { return origin_.y + subunits / 256 * pixels_per_unit_; }
  Spot spot_of(collision::Point point) const { return {x_of(point.x), y_of(point.y)}; }
  SvgRectangle rectangle_of(const collision::Box& box) const;
  double length_of(double subunits) const { return subunits / 256 * pixels_per_unit_; }

  // Units at the edges of the frame.
  double left() const { return (frame_.corner.x - origin_.x) / pixels_per_unit_; }
  double top() const { return (frame_.corner.y - origin_.y) / pixels_per_unit_; }
  double right() const { return left() + frame_.width / pixels_per_unit_; }
  double bottom() const { return top() + frame_.height / pixels_per_unit_; }

  /// Distance of the lines of its grid in units: 1, 2 or 5 times a power of ten, some ten lines across.
  double grid_step() const;

 private:
  SvgRectangle frame_;
  double pixels_per_unit_ = 1;
  Spot origin_;  ///< Of the world.
};

/// A box that grows around others.
class Surround {
 public:
  void add(const collision::Box& box);
  bool is_empty() const { return is_empty_; }
  /// With a margin on each side: a share of the longer side, and so many units at least.
  collision::Box box(double share, double units_min) const;

 private:
  bool is_empty_ = true;
  collision::Box box_ = {};
};

/// The boxes of an object's parts where it is.
std::vector<collision::Box> boxes_of(const replay::MomentObject& object);

}  // namespace sweepd::tools
