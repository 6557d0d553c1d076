// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sweepd/types.h"

namespace sweepd::tools {

/// What a cheat would make of a config that is without error: a sentence for each scoring rule whose points a
/// player could farm, as nothing limits the objects that win them, and for what else is left open.
std::vector<std::string> warnings_of(const MatchConfig& config);

}  // namespace sweepd::tools
