// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "sweepd/types.h"
#include "tools/sweepctl/trace.h"

namespace sweepd::tools {

struct TraceMatchOptions {
  std::string name;
  ClockKind clock = ClockKind::kManual;
  std::uint32_t tick_rate_hz = 60;
  std::uint32_t lead_ticks = 120;  ///< How far ahead of the server frames are sent.
  BroadphaseKind broadphase = BroadphaseKind::kSweepAndPrune;
  SectorGrid sector_grid = {};
  /// What else the match is to have: everything that a trace leaves open. Its layers keep their names and
  /// come after the trace's.
  MatchConfig base = {};
};

/// The match in which a trace can be played exactly: its layers, a slot for each participant in the trace's
/// order with a block of ids that fits, and no mercy for late frames, which would make the events inexact.
/// Which of the trace's layers collide, the trace decides; what their contact does, and all about other
/// layers, is the base's.
MatchConfig match_config_of(const Trace& trace, const TraceMatchOptions& options);

/// Subunits as the SDK's playfield units. Exact: a double holds every multiple of 1/256 in the range.
constexpr double to_units(std::int32_t subunits) { return subunits / 256.0; }
Box to_units(const TraceBox& box);

}  // namespace sweepd::tools
