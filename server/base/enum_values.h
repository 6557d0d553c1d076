// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sweepd::base {

/// Whether a value of an enumeration has a name there. The compilers write one that has none as a cast:
/// "… kValue = (Kind)7]".
template <auto kValue>
constexpr bool has_name() {
  constexpr std::string_view kFunction = __PRETTY_FUNCTION__;
  return kFunction[kFunction.rfind("kValue = ") + 9] != '(';
}

/// The values of an enumeration without gaps, from one of them to the last: found in the enumeration itself,
/// so that no list of them has to follow when it grows.
template <auto kFirst, std::size_t kCount = 1>
constexpr auto values_from() {
  using Enum = decltype(kFirst);
  constexpr auto kNext = static_cast<Enum>(static_cast<std::uint8_t>(kFirst) + kCount);
  if constexpr (has_name<kNext>()) {
    return values_from<kFirst, kCount + 1>();
  } else {
    std::array<Enum, kCount> values = {};
    for (std::size_t i = 0; i < kCount; ++i)
      values[i] = static_cast<Enum>(static_cast<std::uint8_t>(kFirst) + i);
    return values;
  }
}

}  // namespace sweepd::base
