// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
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

/// The root of `value`, or near it: as the processor rounds it.
inline std::uint64_t near_square_root(Uint128 value) {
  constexpr Uint128 kSigned = std::uint64_t{1} << 63;  // What the processor itself makes a double of.
  const double square =
      value < kSigned ? static_cast<double>(static_cast<std::int64_t>(value)) : static_cast<double>(value);
  const double root = std::sqrt(square);
  return root < 0x1p64 ? static_cast<std::uint64_t>(root) : ~std::uint64_t{0};
}

/// The largest number whose square is at most `value`. Whole numbers alone decide: what the processor says is
/// where the search begins.
inline std::uint64_t square_root(Uint128 value) {
  std::uint64_t root = near_square_root(value);
  constexpr std::uint64_t kExact = std::uint64_t{1}
                                   << 50;  // Below it, the processor's is off by one at most;
  if (root >= kExact) {                    // beyond, one step of Newton's brings it there.
    const auto rest = static_cast<Int128>(value - Uint128{root} * root);
    const Int128 nearer = root + rest / (2 * Int128{root});
    root = nearer >> 64 == 0 ? static_cast<std::uint64_t>(nearer) : ~std::uint64_t{0};
  }
  while (Uint128{root} * root > value) --root;
  while (value - Uint128{root} * root > 2 * Uint128{root}) ++root;
  return root;
}

}  // namespace sweepd::base
