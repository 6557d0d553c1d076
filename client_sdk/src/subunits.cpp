// SPDX-License-Identifier: MIT
#include "subunits.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace sweepd::internal {
namespace {

FieldError out_of_range(double units, const char* field) {
  std::ostringstream what;
  what.precision(17);
  what << "is " << units << "; the range is " << to_units(std::numeric_limits<std::int32_t>::min()) << " to "
       << to_units(std::numeric_limits<std::int32_t>::max());
  return {ErrorCode::kOutOfRange, field, what.str()};
}

}  // namespace

Checked to_subunits(double units, const char* field, std::int32_t* out) {
  if (!std::isfinite(units)) return FieldError{ErrorCode::kNotANumber, field, "is not a finite number"};
  // Scaling by a power of two is exact, so that only std::round decides. It is compared as a double: a
  // conversion of what does not fit would be undefined.
  const double rounded = std::round(units * kSubunitsPerUnit);
  if (rounded < std::numeric_limits<std::int32_t>::min() ||
      rounded > std::numeric_limits<std::int32_t>::max()) {
    return out_of_range(units, field);
  }
  *out = static_cast<std::int32_t>(rounded);
  return {};
}

}  // namespace sweepd::internal
