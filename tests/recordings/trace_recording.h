// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "match/config.h"
#include "replay/tick_record.h"

namespace sweepd::recordings {

/// A recorded match as what came in, and where it led.
struct TraceRecording {
  match::MatchConfig config = {};
  std::vector<replay::TickRecord> ticks = {};
  std::size_t moves = 0;  ///< Explicit ones, in all frames.
};

/// Plays a trace (`NAME.trace.xz`, unpacked by xz) that is known to be good: its frames go in for the next
/// tick, as they came in when it was played live.
TraceRecording record_trace(const std::filesystem::path& packed);

}  // namespace sweepd::recordings
