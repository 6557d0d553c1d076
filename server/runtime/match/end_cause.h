// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collision/tick_budget.h"

namespace sweepd::runtime {

/// Why a match ended. The numbers are those of the public contract.
enum class EndCause : std::uint8_t {
  kNone = 0,  ///< It has not.
  kRequested = 1,
  kIdle = 2,  ///< It had no subscribers for too long.
  // A tick exceeded a budget of the config:
  kOverlappingPairs = 3,
  kTests = 4,
  kEvents = 5,
  kCpuTime = 6,       ///< It took too much of an overloaded loop for too long.
  kStartTimeout = 7,  ///< Too few participants came in time: see match::ClockWaits.
};
inline constexpr std::size_t kEndCauses = 8;

/// "OVERLAPPING_PAIRS", as in the contract.
std::string_view name_of(EndCause cause);

/// kNone for kNone.
EndCause cause_of(collision::Excess excess);

/// Whether the match was ended for what it took.
inline bool is_over_budget(EndCause cause) {
  return cause >= EndCause::kOverlappingPairs && cause <= EndCause::kCpuTime;
}

}  // namespace sweepd::runtime
