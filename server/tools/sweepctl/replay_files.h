// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "replay/moment.h"
#include "sweepd/status.h"
#include "verification/any_replay.h"

namespace sweepd::tools {

inline constexpr std::size_t kReplayBytesMax = std::size_t{1} << 30;

/// read_small_file, of kReplayBytesMax at most.
Result<std::string> read_replay(const std::string& path);
Status write_replay(const std::string& path, const std::string& bytes);

/// Of a replay, or of an input log's run.
Result<verification::AnyReplay> open_any_replay(const std::string& path);

/// replay::visit_moments, of ticks that were asked for.
Status visit_ticks(const verification::AnyReplay& replay, replay::Tick first, replay::Tick last,
                   const std::function<void(const replay::Moment&)>& visit);

}  // namespace sweepd::tools
