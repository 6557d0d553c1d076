// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "replay/input.h"

namespace sweepd::replay {

/// The whole state of a match after a tick, so that it can be gone on with from there. What is in it, and
/// what its version means, is for whoever makes and reads it.
struct KeyFrame {
  Tick tick = 0;
  std::uint64_t digest = 0;  ///< Of the match after that tick.
  std::uint32_t version = 0;
  std::string content = {};
};

}  // namespace sweepd::replay
