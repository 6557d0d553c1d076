// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/sweepctl/load/frame_loop.h"
#include "app/sweepctl/load/load_options.h"
#include "sweepd/client.h"

namespace sweepd::app::load {

using Loops = std::shared_ptr<const std::vector<FrameLoop>>;

/// A match that has been created for the load.
struct CreatedMatch {
  std::uint32_t number = 0;  ///< Of the run, from 0.
  std::string match_id;
  std::string target;  ///< Where its streams go.
};

/// Name of client `number` of a match, and of its slot.
std::string client_name(std::uint32_t number);

/// The match of a scene: a slot for every client with the ids of its loop; it starts when all have joined and
/// sent a frame.
MatchConfig match_config_of(const Scene& scene, const std::vector<FrameLoop>& loops,
                            const LoadOptions& options, std::uint32_t number);

/// HOST:PORT of a match on the server that was reached as `server`.
std::string target_of(const MatchInfo& match, const std::string& server);

}  // namespace sweepd::app::load
