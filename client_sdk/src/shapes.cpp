// SPDX-License-Identifier: MIT
#include "sweepd/shapes.h"

#include <algorithm>

namespace sweepd {
namespace {

Part part_of(const std::variant<Box, Circle, Capsule, MaskShape>& shape, std::uint32_t layer) {
  Part part;
  part.shape = shape;
  part.layer = layer;
  return part;
}

}  // namespace

Part Part::circle(Vec2 center, double radius, std::uint32_t layer) {
  return part_of(Circle{center, radius}, layer);
}

Part Part::capsule(Vec2 a, Vec2 b, double radius, std::uint32_t layer) {
  return part_of(Capsule{a, b, radius}, layer);
}

Part Part::mask(std::uint32_t mask, Vec2 corner, std::uint32_t layer) {
  return part_of(MaskShape{mask, corner}, layer);
}

// What is larger than a mask may be keeps its size, for the error that names it, and takes no memory.
BitMask::BitMask(std::uint32_t width, std::uint32_t height, double pixel_size)
    : width_(width), height_(height), pixel_size_(pixel_size) {
  if (width <= kPixelsMax && height <= kPixelsMax) rows_.resize(byte_of(0, height), '\0');
}

BitMask BitMask::from_text(std::initializer_list<std::string_view> rows, double pixel_size) {
  std::size_t width = 0;
  for (const std::string_view row : rows) width = std::max(width, row.size());
  BitMask mask(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(rows.size()), pixel_size);
  std::uint32_t y = 0;
  for (const std::string_view row : rows) {
    for (std::uint32_t x = 0; x < row.size(); ++x) mask.set(x, y, row[x] != '.' && row[x] != ' ');
    ++y;
  }
  return mask;
}

void BitMask::set(std::uint32_t x, std::uint32_t y, bool is_set) {
  if (!contains(x, y)) return;
  const int bit = 1 << x % 8;
  char& byte = rows_[byte_of(x, y)];
  byte = static_cast<char>(is_set ? byte | bit : byte & ~bit);
}

bool BitMask::test(std::uint32_t x, std::uint32_t y) const {
  return contains(x, y) && (rows_[byte_of(x, y)] >> x % 8 & 1) != 0;
}

}  // namespace sweepd
