// SPDX-License-Identifier: MIT
#include "runtime/match/end_cause.h"

#include <array>

namespace sweepd::runtime {

std::string_view name_of(EndCause cause) {
  static constexpr std::array<std::string_view, kEndCauses> kNames{
      "", "REQUESTED", "IDLE", "OVERLAPPING_PAIRS", "TESTS", "EVENTS", "CPU_TIME", "START_TIMEOUT"};
  return kNames.at(static_cast<std::size_t>(cause));
}

EndCause cause_of(collision::Excess excess) {
  switch (excess) {
    case collision::Excess::kOverlappingPairs:
      return EndCause::kOverlappingPairs;
    case collision::Excess::kTests:
      return EndCause::kTests;
    case collision::Excess::kEvents:
      return EndCause::kEvents;
    case collision::Excess::kNone:
      break;
  }
  return EndCause::kNone;
}

}  // namespace sweepd::runtime
