// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "replay/moment.h"
#include "sweepd/status.h"
#include "verification/any_replay.h"

namespace sweepd::tools {

/// A claim that a tick judged, or that was judged by it.
struct SceneClaim {
  replay::Tick tick = 0;  ///< In which it came.
  match::ClaimVerdict verdict = {};
  // As the two were after the tick judged; absent: none was, or they were not there.
  std::optional<replay::MomentObject> shot = {};
  std::optional<replay::MomentObject> target = {};
};

/// Where an object was after a tick.
struct WaySpot {
  replay::Tick tick = 0;
  collision::Point position = {};
};

/// A tick of a replay, and what led to it and came of it.
struct Scene {
  replay::Moment moment = {};
  std::map<match::ObjectId, std::vector<WaySpot>> ways = {};  ///< By tick; of lives before and after, too.
  std::vector<SceneClaim> claims = {};
};

inline constexpr std::uint32_t kSceneTicksMax = 600;

/// `ticks`: of the ways, before and after; kSceneTicksMax at most.
Result<Scene> read_scene(const verification::AnyReplay& replay, replay::Tick around, std::uint32_t ticks);

}  // namespace sweepd::tools
