// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "collision/broadphase/sector_grid_settings.h"
#include "collision/object.h"
#include "match/enum_range.h"
#include "match/field.h"

namespace sweepd::match {

/// Of all masks of a match: 64 of the largest. A match keeps them for as long as it lives, and its config has
/// to fit into one message.
inline constexpr std::uint32_t kMaskRowBytesMax = 512 * 1024;

/// A picture of one bit a pixel, in the public contract's form.
struct MaskConfig {
  std::uint32_t width = 0;         ///< Pixels in a row.
  std::uint32_t height = 0;        ///< Rows.
  std::uint32_t pixel_size = 256;  ///< Edge of a pixel, subunits.
  /// From the top, each padded with 0 to whole bytes; a row's leftmost pixel is its first byte's least
  /// significant bit.
  std::string rows;

  std::size_t row_bytes() const { return (std::size_t{width} + 7) / 8; }
  bool pixel(std::uint32_t x, std::uint32_t y) const {
    return (static_cast<unsigned char>(rows[y * row_bytes() + x / 8]) >> x % 8 & 1) != 0;
  }
  friend bool operator==(const MaskConfig&, const MaskConfig&) = default;
};

Found check_mask_rows(const FieldIn<MaskConfig>& field);

constexpr void for_each_field(std::type_identity<MaskConfig>, const auto& visit) {
  visit(SWEEPD_FIELD(MaskConfig, width).in({1, 256}).digested());
  visit(SWEEPD_FIELD(MaskConfig, height).in({1, 256}).digested());
  visit(SWEEPD_FIELD(MaskConfig, pixel_size).in({1, 1u << 20}).digested());
  visit(SWEEPD_FIELD(MaskConfig, rows).by(check_mask_rows).digested());
}

using collision::SectorScheme;
constexpr Range numbers_of(SectorScheme) { return range_from<SectorScheme::kPlain>(); }

/// For the broadphase kSectorGrid.
struct SectorGridConfig {
  SectorScheme scheme = SectorScheme::kFourShifts;
  std::uint32_t sector_size = 0;  ///< Subunits. 0: automatic.
  friend bool operator==(const SectorGridConfig&, const SectorGridConfig&) = default;
};

Found check_sector_size(const FieldIn<SectorGridConfig>& field);

constexpr void for_each_field(std::type_identity<SectorGridConfig>, const auto& visit) {
  visit(SWEEPD_FIELD(SectorGridConfig, scheme).outside_rules());
  visit(
      SWEEPD_FIELD(SectorGridConfig, sector_size).in({256, 1u << 30}).by(check_sector_size).outside_rules());
}

Found find_error(const SectorGridConfig& grid);
Found find_mask_error(std::span<const MaskConfig> masks);

}  // namespace sweepd::match
