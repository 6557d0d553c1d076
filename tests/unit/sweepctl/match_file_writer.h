// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "sweepd/types.h"

namespace sweepd::app {

/// Fields of MatchConfig that files have no keys for.
inline const std::set<std::string> kFieldsWithoutKey = {"claims"};

/// A match file that describes the config: written without the reader's code, for tests of it.
std::string match_file_of(const MatchConfig& config);

}  // namespace sweepd::app
