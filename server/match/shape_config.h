// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "collision/broadphase/sector_grid_settings.h"
#include "collision/object.h"
#include "match/field_check.h"

namespace sweepd::match {

inline constexpr std::uint32_t kMaskPixelsMax = 256;  ///< In a row, and rows.
inline constexpr std::uint32_t kMaskPixelSizeMax = 1u << 20;
/// Of all masks of a match: 64 of the largest. A match keeps them for as long as it lives, and its config has
/// to fit into one message.
inline constexpr std::uint32_t kMaskRowBytesMax = 512 * 1024;
inline constexpr std::uint32_t kSectorSizeMin = 256;
inline constexpr std::uint32_t kSectorSizeMax = 1u << 30;

/// A picture of one bit a pixel, in the public contract's form.
struct MaskConfig {
  std::uint32_t width = 0;         ///< Pixels in a row: 1 to kMaskPixelsMax.
  std::uint32_t height = 0;        ///< Rows: 1 to kMaskPixelsMax.
  std::uint32_t pixel_size = 256;  ///< Edge of a pixel, subunits: 1 to kMaskPixelSizeMax.
  /// From the top, each padded with 0 to whole bytes; a row's leftmost pixel is its first byte's least
  /// significant bit.
  std::string rows;

  std::size_t row_bytes() const { return (std::size_t{width} + 7) / 8; }
  bool pixel(std::uint32_t x, std::uint32_t y) const {
    return (static_cast<unsigned char>(rows[y * row_bytes() + x / 8]) >> x % 8 & 1) != 0;
  }
};

using collision::SectorScheme;

/// For the broadphase kSectorGrid.
struct SectorGridConfig {
  SectorScheme scheme = SectorScheme::kFourShifts;
  std::uint32_t sector_size = 0;  ///< Subunits: kSectorSizeMin to kSectorSizeMax. 0: automatic.
};

Found find_error(const SectorGridConfig& grid);
Found find_mask_error(std::span<const MaskConfig> masks);

}  // namespace sweepd::match
