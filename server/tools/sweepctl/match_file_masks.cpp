// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tools/sweepctl/match_file_parts.h"
#include "tools/sweepctl/png_mask.h"

namespace sweepd::tools {
namespace {

constexpr std::uint32_t kThresholdDefault = 128;

/// A row a text, from the top: '.' and ' ' are clear, anything else is set.
BitMask mask_of_rows(const std::vector<std::string>& rows, double pixel_size) {
  std::size_t width = 0;
  for (const std::string& row : rows) width = std::max(width, row.size());
  BitMask mask(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(rows.size()), pixel_size);
  for (std::uint32_t y = 0; y < rows.size(); ++y) {
    for (std::uint32_t x = 0; x < rows[y].size(); ++x) mask.set(x, y, rows[y][x] != '.' && rows[y][x] != ' ');
  }
  return mask;
}

BitMask read_rows(const TomlField& list, double pixel_size) {
  std::vector<std::string> rows;
  for (const TomlField& item : list.to_list()) item.to_text(rows.emplace_back());
  return mask_of_rows(rows, pixel_size);
}

BitMask read_picture(const TomlField& file, const std::filesystem::path& folder, std::uint32_t threshold,
                     double pixel_size) {
  std::string name;
  if (!file.to_text(name)) return {};
  const std::filesystem::path path = folder / name;
  const Result<BitMask> mask = read_png_mask(path, threshold, pixel_size);
  if (mask.ok()) return *mask;
  file.fail("is " + describe(file.value()) + ": " + path.string() + " " + mask.status().message());
  return {};
}

void read_mask(TomlTable& table, const std::filesystem::path& folder, BitMask& mask) {
  double pixel_size = 1;
  std::uint32_t threshold = kThresholdDefault;
  table.length("pixel_size", pixel_size);
  const auto threshold_field = table.find("threshold");
  if (threshold_field) threshold_field->to_number({1, 255}, threshold);
  const auto file = table.find("file");
  const auto rows = table.find("rows");
  if (file.has_value() == rows.has_value()) {
    table.origin().fail(file ? "has both file and rows; must have one of them"
                             : "has no picture; must have file (a PNG) or rows");
  } else if (rows) {
    mask = read_rows(*rows, pixel_size);
    if (threshold_field) threshold_field->fail("is for pictures in a file; must not be given with rows");
  } else {
    mask = read_picture(*file, folder, threshold, pixel_size);
    // What is wrong with the pixels is wrong with the file.
    file->place(table.origin().field() + ".rows");
  }
}

}  // namespace

void read_masks(TomlTable& file, const std::filesystem::path& folder, MatchConfig& config) {
  const auto masks = file.find("masks");
  if (!masks) return;
  for (const TomlField& item : masks->to_list()) {
    TomlTable table(item);
    read_mask(table, folder, config.masks.emplace_back());
    table.finish();
  }
}

}  // namespace sweepd::tools
