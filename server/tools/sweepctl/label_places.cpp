// SPDX-License-Identifier: MIT
#include "tools/sweepctl/label_places.h"

#include <algorithm>

namespace sweepd::tools {
namespace {

constexpr double kLetterWidth = kLabelSize * 0.6;
constexpr double kGap = 3;
constexpr double kDistances[] = {0, kLabelSize, 2 * kLabelSize};

}  // namespace

bool LabelPlaces::is_free(const SvgRectangle& place) const {
  const bool is_inside = place.corner.x >= frame_.corner.x && place.corner.y >= frame_.corner.y &&
                         place.corner.x + place.width <= frame_.corner.x + frame_.width &&
                         place.corner.y + place.height <= frame_.corner.y + frame_.height;
  return is_inside &&
         std::ranges::none_of(taken_, [&](const SvgRectangle& other) { return place.overlaps(other); });
}

std::optional<Spot> LabelPlaces::place(const SvgRectangle& named, std::string_view text) {
  const double width = kLetterWidth * static_cast<double>(text.size());
  const double right = named.corner.x + named.width + kGap;
  const double left = named.corner.x - kGap - width;
  const double middle = named.corner.x + named.width / 2 - width / 2;
  for (const double distance : kDistances) {
    const double above = named.corner.y - kGap - kLabelSize - distance;
    const double below = named.corner.y + named.height + kGap + distance;
    const double beside = named.corner.y + named.height / 2 - kLabelSize / 2;
    const Spot corners[] = {
        {right + distance, beside}, {right, above}, {right, below}, {middle, above}, {middle, below},
        {left - distance, beside},  {left, above},  {left, below}};
    for (const Spot& corner : corners) {
      const SvgRectangle place{corner, width, kLabelSize};
      if (!is_free(place)) continue;
      taken_.push_back(place);
      return Spot{corner.x, corner.y + kLabelSize * 0.85};
    }
  }
  return std::nullopt;
}

}  // namespace sweepd::tools
