// SPDX-License-Identifier: MIT
#include "tools/sweepctl/part_drawing.h"

#include <cmath>
#include <string>

namespace sweepd::tools {
namespace {

std::string spot_text(double x, double y) { return pixel_text(x) + " " + pixel_text(y) + " "; }

/// Of the set pixels of a row the first from `x` on, and the first after it that is not set.
struct Run {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};
Run next_run(const match::MaskConfig& mask, std::uint32_t x, std::uint32_t y) {
  while (x < mask.width && !mask.pixel(x, y)) ++x;
  Run run{x, x};
  while (run.end < mask.width && mask.pixel(run.end, y)) ++run.end;
  return run;
}

}  // namespace

void PartDrawing::draw(const collision::Part& part, collision::Point position, std::string_view style) {
  const auto box = collision::translate(part.box, position);
  if (!box) return;
  const SvgRectangle bounds = view_.rectangle_of(*box);
  switch (part.kind) {
    case collision::ShapeKind::kBox:
      return svg_.rectangle(bounds, style);
    case collision::ShapeKind::kCircle:
      return svg_.circle({bounds.corner.x + bounds.width / 2, bounds.corner.y + bounds.height / 2},
                         view_.length_of(part.radius), style);
    case collision::ShapeKind::kCapsule:
      return draw_capsule(part, *box, style);
    case collision::ShapeKind::kMask:
      if (part.mask < masks_.size()) return draw_mask(masks_[part.mask], *box, style);
      return svg_.rectangle(bounds, style);
  }
}

/// Two straight sides and two half circles.
void PartDrawing::draw_capsule(const collision::Part& part, const collision::Box& box,
                               std::string_view style) {
  const double radius = view_.length_of(part.radius);
  const SvgRectangle bounds = view_.rectangle_of(box);
  const double left = bounds.corner.x + radius;
  const double right = bounds.corner.x + bounds.width - radius;
  const double top = bounds.corner.y + radius;
  const double bottom = bounds.corner.y + bounds.height - radius;
  const Spot a{left, part.is_rising ? bottom : top};
  const Spot b{right, part.is_rising ? top : bottom};
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (length < 0.01) return svg_.circle(a, radius, style);
  const double side_x = -(b.y - a.y) / length * radius;
  const double side_y = (b.x - a.x) / length * radius;
  const std::string arc = "A " + spot_text(radius, radius) + "0 0 0 ";
  svg_.path("M " + spot_text(a.x + side_x, a.y + side_y) + "L " + spot_text(b.x + side_x, b.y + side_y) +
                arc + spot_text(b.x - side_x, b.y - side_y) + "L " + spot_text(a.x - side_x, a.y - side_y) +
                arc + spot_text(a.x + side_x, a.y + side_y) + "Z",
            style);
}

void PartDrawing::draw_mask(const match::MaskConfig& mask, const collision::Box& box,
                            std::string_view style) {
  std::string data;
  const double pixel = view_.length_of(mask.pixel_size);
  for (std::uint32_t y = 0; y < mask.height && runs_ < kRunsMax; ++y) {
    for (Run run = next_run(mask, 0, y); run.first < mask.width; run = next_run(mask, run.end, y)) {
      ++runs_;
      data += "M " + spot_text(view_.x_of(box.min_x) + run.first * pixel, view_.y_of(box.min_y) + y * pixel) +
              "h " + pixel_text((run.end - run.first) * pixel) + " v " + pixel_text(pixel) + " h " +
              pixel_text(-static_cast<double>(run.end - run.first) * pixel) + " Z ";
    }
  }
  if (!data.empty() && runs_ < kRunsMax) svg_.path(data, style);
  svg_.rectangle(view_.rectangle_of(box), R"(fill="none" stroke="#888888" stroke-dasharray="2 3")");
}

}  // namespace sweepd::tools
