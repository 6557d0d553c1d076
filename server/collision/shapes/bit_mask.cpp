// SPDX-License-Identifier: MIT
#include "collision/shapes/bit_mask.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace sweepd::collision {
namespace {

/// The lowest `count` bits, 0 to 64.
std::uint64_t low_bits(std::int32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

MaskError BitMask::check(std::uint32_t width, std::uint32_t height, Subunits pixel_size,
                         std::span<const std::uint64_t> rows) {
  if (width < 1 || width > kSideMax) return MaskError::kWidth;
  if (height < 1 || height > kSideMax) return MaskError::kHeight;
  if (pixel_size < 1 || pixel_size > kPixelSizeMax) return MaskError::kPixelSize;
  const std::uint32_t words = words_per_row(width);
  if (rows.size() != std::size_t{words} * height) return MaskError::kRows;
  const std::uint64_t beyond = ~low_bits(static_cast<std::int32_t>(width - (words - 1) * 64));
  for (std::size_t last = words - 1; last < rows.size(); last += words) {
    if ((rows[last] & beyond) != 0) return MaskError::kBitsBeyondWidth;
  }
  return MaskError::kNone;
}

BitMask::BitMask(std::uint32_t width, std::uint32_t height, Subunits pixel_size,
                 std::vector<std::uint64_t> rows)
    : width_(static_cast<std::int32_t>(width)),
      height_(static_cast<std::int32_t>(height)),
      pixel_size_(pixel_size),
      rows_(std::move(rows)) {
  SWEEPD_ASSERT(check(width, height, pixel_size, rows_) == MaskError::kNone);
  for (std::int32_t row = 0; row < height_; ++row) {
    for (auto run = next_run(row, 0); run; run = next_run(row, run->last + 1)) ++run_count_;
  }
}

std::uint64_t BitMask::bits(std::int32_t row, std::int32_t column) const {
  if (row < 0 || row >= height_ || column >= width_ || column <= -64) return 0;
  const auto words = static_cast<std::int32_t>(words_per_row(static_cast<std::uint32_t>(width_)));
  const std::uint64_t* row_words = rows_.data() + std::ptrdiff_t{row} * words;
  if (column < 0) return row_words[0] << -column;
  const std::int32_t word = column / 64;
  const std::int32_t shift = column % 64;
  std::uint64_t found = row_words[word] >> shift;
  if (shift != 0 && word + 1 < words) found |= row_words[word + 1] << (64 - shift);
  return found;
}

bool BitMask::has_any(std::int32_t row, std::int32_t first, std::int32_t last) const {
  first = std::max(first, 0);
  last = std::min(last, width_ - 1);
  for (; first <= last; first += 64) {
    if ((bits(row, first) & low_bits(last - first + 1)) != 0) return true;
  }
  return false;
}

std::optional<BitMask::Run> BitMask::next_run(std::int32_t row, std::int32_t column) const {
  column = std::max(column, 0);
  while (column < width_ && bits(row, column) == 0) column += 64;
  if (column >= width_) return std::nullopt;
  Run run{column + std::countr_zero(bits(row, column)), 0};
  std::int32_t end = run.first;
  while (bits(row, end) == ~std::uint64_t{0}) end += 64;
  run.last = end + std::countr_one(bits(row, end)) - 1;
  return run;
}

}  // namespace sweepd::collision
