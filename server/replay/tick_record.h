// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "match/input.h"

namespace sweepd::replay {

using match::Away;
using match::Back;
using match::Input;
using match::Join;
using match::Leave;
using match::ParticipantNumber;
using match::SeatChange;
using match::Submission;
using match::Tick;

/// A tick of a match: what the match took since the one before, in order, and where it led.
struct TickRecord {
  Tick tick = 0;
  std::uint64_t digest = 0;  ///< After it.
  bool ends_match = false;  ///< It was run by `end`, not by `step`, which ends it where a budget is exceeded.
  std::vector<Input> inputs = {};
};

}  // namespace sweepd::replay
