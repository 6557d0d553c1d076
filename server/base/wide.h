// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::base {

// Exact geometry of 32-bit coordinates needs squares of areas: wider than any standard integer.
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// A product of two 128-bit numbers, exact.
struct Uint256 {
  Uint128 high = 0;
  Uint128 low = 0;
  friend constexpr bool operator==(const Uint256&, const Uint256&) = default;
  friend constexpr bool operator<=(const Uint256& a, const Uint256& b) {
    return a.high != b.high ? a.high < b.high : a.low <= b.low;
  }
};

/// Schoolbook multiplication of halves.
constexpr Uint256 multiply(Uint128 a, Uint128 b) {
  constexpr Uint128 kHalf = ~std::uint64_t{0};
  const Uint128 low = (a & kHalf) * (b & kHalf);
  const Uint128 middle_a = (a >> 64) * (b & kHalf);
  const Uint128 middle_b = (a & kHalf) * (b >> 64);
  const Uint128 carry = (low >> 64) + (middle_a & kHalf) + (middle_b & kHalf);
  return {(a >> 64) * (b >> 64) + (middle_a >> 64) + (middle_b >> 64) + (carry >> 64),
          carry << 64 | (low & kHalf)};
}

constexpr Uint128 magnitude(Int128 value) {
  return value < 0 ? -static_cast<Uint128>(value) : static_cast<Uint128>(value);
}

/// The largest number whose square is at most `value`.
constexpr std::uint64_t square_root(Uint128 value) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1) {
    const Uint128 trial = root | bit;
    if (trial * trial <= value) root |= bit;
  }
  return root;
}

}  // namespace sweepd::base
