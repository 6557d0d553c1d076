// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace sweepd::base {

/// Stops at the ends of 64 bits.
constexpr std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? Limits::max() : Limits::min();
}

}  // namespace sweepd::base
