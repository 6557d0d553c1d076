// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "tools/sweepctl/match_file.h"

namespace sweepd::tools {

/// What a file gives and a trace that is played in its match decides otherwise, a line each:
/// "FILE:12:1: slots: the trace's own are played". `played`: what match_config_of made of both.
std::vector<std::string> decided_by_trace(const MatchFile& file, const MatchConfig& played);

}  // namespace sweepd::tools
