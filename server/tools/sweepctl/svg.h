// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sweepd::tools {

/// A place on a picture, in pixels from its upper left corner.
struct Spot {
  double x = 0;
  double y = 0;
};

struct SvgRectangle {
  Spot corner = {};
  double width = 0;
  double height = 0;

  bool overlaps(const SvgRectangle& other) const {
    return corner.x < other.corner.x + other.width && other.corner.x < corner.x + width &&
           corner.y < other.corner.y + other.height && other.corner.y < corner.y + height;
  }
};

/// Writes a picture as SVG 1.1: elements in the order in which they are added. `style`: presentation
/// attributes, as `fill="none" stroke="red"`. Texts are escaped here.
class Svg {
 public:
  Svg(double width, double height);

  void rectangle(const SvgRectangle& rectangle, std::string_view style);
  void circle(Spot center, double radius, std::string_view style);
  void line(Spot from, Spot to, std::string_view style);
  void polyline(const std::vector<Spot>& spots, std::string_view style);
  void path(std::string_view data, std::string_view style);
  void text(Spot left, std::string_view text, std::string_view style);

  /// What is added until the matching end is seen within the rectangle only.
  void begin_clip(const SvgRectangle& rectangle);
  void end_clip();

  /// The whole picture. Once.
  std::string finish();

 private:
  std::string text_;
  int clips_ = 0;
};

/// "12.5": two digits are finer than any screen.
std::string pixel_text(double pixels);

}  // namespace sweepd::tools
