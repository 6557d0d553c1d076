// SPDX-License-Identifier: MIT
#include "session/backend.h"

#include "session/match_loop.h"

namespace sweepd::session {

std::vector<runtime::LoadReading> Backend::loads() const {
  std::vector<runtime::LoadReading> readings;
  for (MatchLoop* const loop : loops) {
    runtime::LoadReading& reading = readings.emplace_back(loop->loop().load().reading());
    // What it last measured says nothing of a loop that stands still.
    reading.is_overloaded |= loop->loop().pulse().is_stalled(runtime::steady_now());
  }
  return readings;
}

}  // namespace sweepd::session
