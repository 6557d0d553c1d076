// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/geometry.h"

namespace sweepd::collision {

enum class SectorScheme : std::uint8_t {
  kPlain = 1,       ///< A part is filed in every sector that it touches.
  kFourShifts = 2,  ///< Four grids, shifted by half a sector each way; a part is filed in one sector of each.
  kHorizontalStrips = 3,  ///< Sectors as wide as the plane.
  kVerticalStrips = 4,    ///< Sectors as high as the plane.
};

struct SectorGridSettings {
  SectorScheme scheme = SectorScheme::kFourShifts;
  Subunits sector_size = 0;  ///< Not negative; 0: chosen by the sizes of the parts.
};

}  // namespace sweepd::collision
