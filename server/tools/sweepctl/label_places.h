// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tools/sweepctl/svg.h"

namespace sweepd::tools {

inline constexpr double kLabelSize = 12;  ///< Of their letters, in pixels.

/// Finds places for short texts beside what they name, so that none covers another.
class LabelPlaces {
 public:
  /// All have to be within `frame`.
  explicit LabelPlaces(const SvgRectangle& frame) : frame_(frame) {}

  /// Where a text beside `named` begins on its base line. Nothing: there is no room.
  std::optional<Spot> place(const SvgRectangle& named, std::string_view text);

 private:
  bool is_free(const SvgRectangle& place) const;

  SvgRectangle frame_;
  std::vector<SvgRectangle> taken_;
};

}  // namespace sweepd::tools
