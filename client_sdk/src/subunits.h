// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "field_error.h"

namespace sweepd::internal {

inline constexpr double kSubunitsPerUnit = 256;

/// Rounds to the nearest subunit, half away from zero, and sets `out`; or says what is wrong with `units`
/// under the name `field` and leaves `out` alone.
Checked to_subunits(double units, const char* field, std::int32_t* out);

/// Exact.
constexpr double to_units(std::int32_t subunits) { return subunits / kSubunitsPerUnit; }

}  // namespace sweepd::internal
