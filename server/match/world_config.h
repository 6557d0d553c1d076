// SPDX-License-Identifier: MIT
#pragma once

#include "collision/world.h"
#include "match/config.h"

namespace sweepd::match {

/// What the world needs of a match's config, with layers by index. The config must be without error.
collision::WorldConfig world_config_of(const MatchConfig& config);

}  // namespace sweepd::match
