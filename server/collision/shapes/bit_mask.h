// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/geometry.h"

namespace sweepd::collision {

/// Why pixels are no mask.
enum class MaskError : std::uint8_t { kNone, kWidth, kHeight, kPixelSize, kRows, kBitsBeyondWidth };

/// A picture of one bit a pixel. A pixel that is set is a closed square, so that touching edges and corners
/// meet. Kept in words of 64 pixels, which is how it is tested. One without set pixels meets nothing.
class BitMask {
 public:
  static constexpr std::uint32_t kSideMax = 256;        ///< Pixels.
  static constexpr Subunits kPixelSizeMax = 1'048'576;  ///< Subunits: a whole mask fits 32 bits.

  /// From and to, both included, in pixels of one row.
  struct Run {
    std::int32_t first;
    std::int32_t last;
  };

  /// `rows`: for each row words_per_row(width) words, the first pixel being the lowest bit of the first word.
  static MaskError check(std::uint32_t width, std::uint32_t height, Subunits pixel_size,
                         std::span<const std::uint64_t> rows);
  /// They must be sound.
  BitMask(std::uint32_t width, std::uint32_t height, Subunits pixel_size, std::vector<std::uint64_t> rows);

  static constexpr std::uint32_t words_per_row(std::uint32_t width) { return (width + 63) / 64; }

  std::int32_t width() const { return width_; }
  std::int32_t height() const { return height_; }
  Subunits pixel_size() const { return pixel_size_; }
  /// How many runs of set pixels its rows have.
  std::uint32_t run_count() const { return run_count_; }
  /// Of the whole picture, in subunits.
  std::int64_t total_width() const { return std::int64_t{width_} * pixel_size_; }
  std::int64_t total_height() const { return std::int64_t{height_} * pixel_size_; }

  /// 64 pixels of a row from `column` on, the first in the lowest bit; what lies beside the picture is not
  /// set.
  std::uint64_t bits(std::int32_t row, std::int32_t column) const;
  /// Whether a pixel of the row is set between the two columns, both included, which may lie beside the
  /// picture.
  bool has_any(std::int32_t row, std::int32_t first, std::int32_t last) const;
  /// The first run of set pixels that begins or goes on at `column` or after it.
  std::optional<Run> next_run(std::int32_t row, std::int32_t column) const;

  friend bool operator==(const BitMask&, const BitMask&) = default;

 private:
  std::int32_t width_;
  std::int32_t height_;
  Subunits pixel_size_;
  std::vector<std::uint64_t> rows_;
  std::uint32_t run_count_ = 0;
};

}  // namespace sweepd::collision
