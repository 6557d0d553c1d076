// SPDX-License-Identifier: MIT
#include "runtime/feed/world/world_window.h"

namespace sweepd::runtime {
namespace {

using collision::Box;
using collision::clamp_subunits;
using collision::Point;

Point middle_of(const Box& box) {
  return {clamp_subunits((std::int64_t{box.min_x} + box.max_x) / 2),
          clamp_subunits((std::int64_t{box.min_y} + box.max_y) / 2)};
}

Box moved(const Box& box, Point by) {
  return {clamp_subunits(std::int64_t{box.min_x} + by.x), clamp_subunits(std::int64_t{box.min_y} + by.y),
          clamp_subunits(std::int64_t{box.max_x} + by.x), clamp_subunits(std::int64_t{box.max_y} + by.y)};
}

Box widened(const Box& box, std::int64_t by) {
  return {clamp_subunits(box.min_x - by), clamp_subunits(box.min_y - by), clamp_subunits(box.max_x + by),
          clamp_subunits(box.max_y + by)};
}

}  // namespace

WorldWindow::WorldWindow(const WorldInterest& interest)
    : is_bounded_(interest.region.has_value()),
      region_(interest.region.value_or(collision::kWholeRange)),
      leave_margin_(interest.leave_margin),
      follows_(interest.follow != 0) {
  if (follows_ || !is_bounded_) return;
  now_ = region_;
  focus_ = middle_of(region_);
}

void WorldWindow::move(std::optional<Point> followed) {
  if (!follows_ || !followed) return;
  focus_ = followed;
  now_ = moved(region_, *followed);
}

bool WorldWindow::shows(const Box& bounds, bool is_shown) const {
  if (!is_bounded_) return true;
  if (!now_) return false;
  return collision::overlap(bounds, is_shown ? widened(*now_, leave_margin_) : *now_);
}

}  // namespace sweepd::runtime
