// SPDX-License-Identifier: MIT
#include "tools/sweepctl/svg.h"

#include <cstdio>

#include "base/visible_text.h"

namespace sweepd::tools {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : base::visible(text)) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

std::string attribute(std::string_view name, double pixels) {
  return std::string(name) + "=\"" + pixel_text(pixels) + "\" ";
}

std::string attributes(const SvgRectangle& rectangle) {
  return attribute("x", rectangle.corner.x) + attribute("y", rectangle.corner.y) +
         attribute("width", rectangle.width) + attribute("height", rectangle.height);
}

}  // namespace

std::string pixel_text(double pixels) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", pixels);
  return text;
}

Svg::Svg(double width, double height) {
  const std::string w = pixel_text(width);
  const std::string h = pixel_text(height);
  text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"" + w + "\" height=\"" + h +
          "\" viewBox=\"0 0 " + w + " " + h + "\" font-family=\"sans-serif\">\n";
}

void Svg::rectangle(const SvgRectangle& rectangle, std::string_view style) {
  text_ += "<rect " + attributes(rectangle) + std::string(style) + "/>\n";
}

void Svg::circle(Spot center, double radius, std::string_view style) {
  text_ += "<circle " + attribute("cx", center.x) + attribute("cy", center.y) + attribute("r", radius) +
           std::string(style) + "/>\n";
}

void Svg::line(Spot from, Spot to, std::string_view style) {
  text_ += "<line " + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
           attribute("y2", to.y) + std::string(style) + "/>\n";
}

void Svg::polyline(const std::vector<Spot>& spots, std::string_view style) {
  text_ += "<polyline points=\"";
  for (const Spot& spot : spots) text_ += pixel_text(spot.x) + "," + pixel_text(spot.y) + " ";
  text_ += "\" " + std::string(style) + "/>\n";
}

void Svg::path(std::string_view data, std::string_view style) {
  text_ += "<path d=\"" + std::string(data) + "\" " + std::string(style) + "/>\n";
}

void Svg::text(Spot left, std::string_view text, std::string_view style) {
  text_ += "<text " + attribute("x", left.x) + attribute("y", left.y) + std::string(style) + ">" +
           escaped(text) + "</text>\n";
}

void Svg::begin_clip(const SvgRectangle& rectangle) {
  const std::string id = "clip" + std::to_string(++clips_);
  text_ += "<clipPath id=\"" + id + "\"><rect " + attributes(rectangle) +
           "/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n";
}

void Svg::end_clip() { text_ += "</g>\n"; }

std::string Svg::finish() { return text_ + "</svg>\n"; }

}  // namespace sweepd::tools
