// SPDX-License-Identifier: MIT
#include "tools/sweepctl/picture_view.h"

#include <algorithm>
#include <cmath>

namespace sweepd::tools {

PictureView::PictureView(const collision::Box& region, const SvgRectangle& frame) : frame_(frame) {
  const double width = std::max(1.0, (static_cast<double>(region.max_x) - region.min_x) / 256);
  const double height = std::max(1.0, (static_cast<double>(region.max_y) - region.min_y) / 256);
  pixels_per_unit_ = std::min(frame.width / width, frame.height / height);
  const double middle_x = (static_cast<double>(region.min_x) + region.max_x) / 512;
  const double middle_y = (static_cast<double>(region.min_y) + region.max_y) / 512;
  origin_.x = frame.corner.x + frame.width / 2 - middle_x * pixels_per_unit_;
  origin_.y = frame.corner.y + frame.height / 2 - middle_y * pixels_per_unit_;
}

SvgRectangle PictureView::rectangle_of(const collision::Box& box) const {
  return {{x_of(box.min_x), y_of(box.min_y)},
          length_of(static_cast<double>(box.max_x) - box.min_x),
          length_of(static_cast<double>(box.max_y) - box.min_y)};
}

double PictureView::grid_step() const {
  constexpr double kLines = 10;
  const double rough = frame_.width / pixels_per_unit_ / kLines;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

void Surround::add(const collision::Box& box) {
  if (is_empty_) {
    box_ = box;
    is_empty_ = false;
    return;
  }
  box_ = {std::min(box_.min_x, box.min_x), std::min(box_.min_y, box.min_y), std::max(box_.max_x, box.max_x),
          std::max(box_.max_y, box.max_y)};
}

collision::Box Surround::box(double share, double units_min) const {
  const double longer =
      std::max(static_cast<double>(box_.max_x) - box_.min_x, static_cast<double>(box_.max_y) - box_.min_y);
  const auto margin = static_cast<std::int64_t>(std::max(longer * share, units_min * 256));
  return {collision::clamp_subunits(box_.min_x - margin), collision::clamp_subunits(box_.min_y - margin),
          collision::clamp_subunits(box_.max_x + margin), collision::clamp_subunits(box_.max_y + margin)};
}

std::vector<collision::Box> boxes_of(const replay::MomentObject& object) {
  std::vector<collision::Box> boxes;
  for (const collision::Part& part : object.parts) {
    if (const auto box = collision::translate(part.box, object.trajectory.position)) boxes.push_back(*box);
  }
  return boxes;
}

}  // namespace sweepd::tools
