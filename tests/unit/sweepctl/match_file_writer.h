// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sweepd/types.h"

namespace sweepd::app {

/// A match file that describes the config: written without the reader's code, for tests of it.
std::string match_file_of(const MatchConfig& config);

}  // namespace sweepd::app
