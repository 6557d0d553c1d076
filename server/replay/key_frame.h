// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "replay/tick_record.h"

namespace sweepd::replay {

/// The whole state of a match right after a tick, before anything else came in, so that it can be gone on
/// with from there. Version match::kSnapshotVersion: Match::save of it. What is in others is not known here.
struct KeyFrame {
  Tick tick = 0;
  std::uint64_t digest = 0;  ///< Of the match after that tick.
  std::uint32_t version = 0;
  std::string content = {};
  std::int64_t unix_ms = 0;  ///< When the tick ran, by the server's clock; 0: not known.
};

}  // namespace sweepd::replay
