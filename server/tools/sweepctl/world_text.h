// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sweepd/types.h"
#include "sweepd/world_view.h"

namespace sweepd::tools {

/// What an update has brought to a view of the world, a line each; as JSON objects where `json`.
std::vector<std::string> world_lines(const WorldView& view, const WorldNews& news, const MatchConfig& config,
                                     bool json);

/// How much there is to see: "t=600 WORLD 426 objects of 5 participants".
std::string world_line(const WorldView& view, bool json);

}  // namespace sweepd::tools
