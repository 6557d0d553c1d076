// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/sweepctl/match_file_parts.h"

namespace sweepd::tools {
namespace {

/// A list of so many numbers of playfield units.
std::optional<std::vector<double>> to_lengths(const TomlField& field, std::size_t count, const char* form) {
  if (!field.expect(TomlKind::kList, form)) return std::nullopt;
  std::vector<double> lengths;
  for (const TomlField& item : field.to_list()) {
    if (!item.to_length(lengths.emplace_back())) return std::nullopt;
  }
  if (lengths.size() == count) return lengths;
  field.fail("has " + std::to_string(lengths.size()) + " entries; must be " + form);
  return std::nullopt;
}

bool read_box(const TomlField& field, Part& part) {
  const auto edges = to_lengths(field, 4, "[min_x, min_y, max_x, max_y]");
  if (edges) part.shape = Box{(*edges)[0], (*edges)[1], (*edges)[2], (*edges)[3]};
  return edges.has_value();
}

bool read_circle(const TomlField& field, Part& part) {
  const auto numbers = to_lengths(field, 3, "[x, y, radius]");
  if (numbers) part.shape = Circle{{(*numbers)[0], (*numbers)[1]}, (*numbers)[2]};
  return numbers.has_value();
}

bool read_capsule(const TomlField& field, Part& part) {
  const auto numbers = to_lengths(field, 5, "[a_x, a_y, b_x, b_y, radius]");
  if (!numbers) return false;
  part.shape = Capsule{{(*numbers)[0], (*numbers)[1]}, {(*numbers)[2], (*numbers)[3]}, (*numbers)[4]};
  return true;
}

bool read_mask(const TomlField& field, Part& part) {
  TomlTable table(field);
  MaskShape shape;
  const auto mask = table.require("mask");
  bool is_read = mask && mask->to_number(NumberRange{0, 255}, shape.mask);
  if (const auto corner = table.find("corner")) {
    const auto place = to_lengths(*corner, 2, "[x, y]");
    if (place) shape.corner = {(*place)[0], (*place)[1]};
    is_read = is_read && place.has_value();
  }
  table.finish();
  part.shape = shape;
  return is_read;
}

struct ShapeReader {
  const char* key;
  bool (*read)(const TomlField& field, Part& part);
};

}  // namespace

bool read_part(const TomlField& field, const LayerNames& layers, Part& part) {
  TomlTable table(field);
  bool is_read = true;
  if (const auto layer = table.require("layer")) {
    std::string name;
    is_read = layers.to_layer(*layer, name);
    const auto& names = layers.names();
    part.layer = static_cast<std::uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  int shapes = 0;
  for (const ShapeReader& shape : {ShapeReader{"box", read_box}, ShapeReader{"circle", read_circle},
                                   ShapeReader{"capsule", read_capsule}, ShapeReader{"mask", read_mask}}) {
    const auto given = table.find(shape.key);
    if (!given) continue;
    ++shapes;
    is_read = shape.read(*given, part) && is_read;
  }
  if (shapes != 1)
    field.fail("has " + std::to_string(shapes) + " shapes; must be one of box, circle, capsule, mask");
  table.finish();
  return is_read && shapes == 1;
}

}  // namespace sweepd::tools
