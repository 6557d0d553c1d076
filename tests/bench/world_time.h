// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "scenes/world_play.h"

namespace sweepd::bench {

/// Plays one tick; how long it ran, in microseconds.
double timed_tick_us(scenes::WorldPlay& play);

/// Memory that the process has asked for and holds.
std::size_t heap_bytes();

}  // namespace sweepd::bench
