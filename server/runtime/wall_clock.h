// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace sweepd::runtime {

/// Milliseconds since 1970, for people and for receipts; ticks go by the loop's clock.
inline std::int64_t unix_time_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

}  // namespace sweepd::runtime
