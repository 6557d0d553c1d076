// SPDX-License-Identifier: MIT
#include "match/shape_config.h"

#include "match/field_rules.h"

namespace sweepd::match {
namespace {

/// Equal pictures are equal bytes: a bit that means nothing must not tell two digests apart.
Found check_padding(const std::string& path, const MaskConfig& mask) {
  if (mask.width % 8 == 0) return std::nullopt;
  const unsigned padding = 0xffu << mask.width % 8 & 0xffu;
  for (std::size_t row = 0; row < mask.height; ++row) {
    const std::size_t last = (row + 1) * mask.row_bytes() - 1;
    if ((static_cast<unsigned char>(mask.rows[last]) & padding) == 0) continue;
    return FieldError{path, "has a bit past the width of " + std::to_string(mask.width) + " set in row " +
                                std::to_string(row) + "; must be 0"};
  }
  return std::nullopt;
}

}  // namespace

Found check_mask_rows(const FieldIn<MaskConfig>& field) {
  const MaskConfig& mask = field.owner;
  const std::size_t bytes = mask.row_bytes() * mask.height;
  if (mask.rows.size() == bytes) return check_padding(field.path, mask);
  return FieldError{field.path, "has " + std::to_string(mask.rows.size()) + " bytes; must have " +
                                    std::to_string(bytes) + ": " + std::to_string(mask.height) + " rows of " +
                                    std::to_string(mask.row_bytes())};
}

Found check_sector_size(const FieldIn<SectorGridConfig>& field) {
  if (field.owner.sector_size == 0) return std::nullopt;
  Found error = check_number(field.path, field.owner.sector_size, {256, 1u << 30});
  if (error) error->description += ", or 0: automatic";
  return error;
}

Found find_error(const SectorGridConfig& grid) { return check_fields("sector_grid", grid, MatchConfig()); }

Found find_mask_error(std::span<const MaskConfig> masks) {
  if (Found error = check_count("masks", masks.size(), {0, collision::kMasksMax})) return error;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (Found error = check_fields(indexed("masks", i), masks[i], MatchConfig())) return error;
    bytes += masks[i].rows.size();
  }
  if (bytes <= kMaskRowBytesMax) return std::nullopt;
  return FieldError{"masks", "have " + std::to_string(bytes) + " bytes of rows in all; must have at most " +
                                 std::to_string(kMaskRowBytesMax)};
}

}  // namespace sweepd::match
