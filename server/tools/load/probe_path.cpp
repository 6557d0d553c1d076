// SPDX-License-Identifier: MIT
#include "tools/load/probe_path.h"

#include "tools/load/frame_bytes.h"

namespace sweepd::tools::load {
namespace {

constexpr std::int32_t kProbePixels = 8;

}  // namespace

Point ProbePath::partner_position() const {
  const auto pixel = static_cast<std::int32_t>(place_.subunits_per_pixel);
  const auto number = static_cast<std::int32_t>(place_.number);
  return {-100 * pixel, -(100 + 10 * kProbePixels * number) * pixel};
}

Point ProbePath::position(std::uint32_t tick) const {
  const auto pixel = static_cast<std::int32_t>(place_.subunits_per_pixel);
  const Point partner = partner_position();
  return in_contact_after(tick) ? partner : Point{partner.x - 2 * kProbePixels * pixel, partner.y};
}

void ProbePath::spawn(std::uint32_t tick, v1::Frame& frame) const {
  const std::int32_t side = kProbePixels * static_cast<std::int32_t>(place_.subunits_per_pixel);
  add_part({0, 0, side, side}, place_.layer, *add_spawn(frame, ids_.mover, position(tick)));
  add_part({0, 0, side, side}, place_.layer, *add_spawn(frame, ids_.partner, partner_position()));
}

}  // namespace sweepd::tools::load
