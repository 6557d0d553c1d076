// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "match/field_check.h"

namespace sweepd::match {

/// Whether a value of an enumeration has a name there. The compilers write one that has none as a cast:
/// "… kValue = (Kind)7]".
template <auto kValue>
constexpr bool has_name() {
  constexpr std::string_view kFunction = __PRETTY_FUNCTION__;
  return kFunction[kFunction.rfind("kValue = ") + 9] != '(';
}

/// The numbers of an enumeration without gaps, from one of its values to the last: found in the enumeration
/// itself, so that no list of them has to follow when it grows.
template <auto kFirst, auto kLast = kFirst>
constexpr Range range_from() {
  constexpr auto kNext = static_cast<decltype(kLast)>(static_cast<std::uint8_t>(kLast) + 1);
  if constexpr (has_name<kNext>()) {
    return range_from<kFirst, kNext>();
  } else {
    return {static_cast<std::uint8_t>(kFirst), static_cast<std::uint8_t>(kLast)};
  }
}

}  // namespace sweepd::match
