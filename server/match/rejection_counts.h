// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sweepd::match {

enum class RejectionReason : std::uint8_t;

/// Past the highest number of a reason.
inline constexpr std::size_t kRejectionReasonsEnd = 64;

/// How often a participant was refused something, by rule.
class RejectionCounts {
 public:
  void add(RejectionReason reason) { ++counts_.at(static_cast<std::uint8_t>(reason)); }
  std::uint64_t of(RejectionReason reason) const { return counts_.at(static_cast<std::uint8_t>(reason)); }

 private:
  std::array<std::uint64_t, kRejectionReasonsEnd> counts_{};
};

}  // namespace sweepd::match
