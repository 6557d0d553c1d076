// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "match/shape_config.h"
#include "replay/moment.h"
#include "tools/sweepctl/picture_view.h"
#include "tools/sweepctl/svg.h"

namespace sweepd::tools {

/// Draws parts of objects with their exact shapes. Of masks it draws the rows of set pixels, kRunsMax in all;
/// those past that are drawn as their boxes.
class PartDrawing {
 public:
  static constexpr std::size_t kRunsMax = 50'000;

  PartDrawing(Svg& svg, const PictureView& view, std::span<const match::MaskConfig> masks)
      : svg_(svg), view_(view), masks_(masks) {}

  void draw(const collision::Part& part, collision::Point position, std::string_view style);

 private:
  void draw_capsule(const collision::Part& part, const collision::Box& box, std::string_view style);
  void draw_mask(const match::MaskConfig& mask, const collision::Box& box, std::string_view style);

  Svg& svg_;
  const PictureView& view_;
  std::span<const match::MaskConfig> masks_;
  std::size_t runs_ = 0;
};

}  // namespace sweepd::tools
