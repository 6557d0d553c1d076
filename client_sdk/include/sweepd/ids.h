// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd {

/// Object ids are unique within a match; 0 names none.
using ObjectId = std::uint32_t;
/// Ticks count from 1.
using Tick = std::uint64_t;
/// Names a participant within its match.
using ParticipantNumber = std::uint32_t;

}  // namespace sweepd
