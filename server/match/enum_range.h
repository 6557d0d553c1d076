// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/enum_values.h"
#include "match/field_check.h"

namespace sweepd::match {

/// The numbers of an enumeration without gaps, from one of its values to the last.
template <auto kFirst>
constexpr Range range_from() {
  constexpr auto kValues = base::values_from<kFirst>();
  return {static_cast<std::uint8_t>(kValues.front()), static_cast<std::uint8_t>(kValues.back())};
}

}  // namespace sweepd::match
