// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>

#include "collision/world.h"
#include "match/config.h"
#include "match/digest_version.h"

namespace sweepd::match {

/// What the world needs of a match's config, with layers by index. The config must be without error.
collision::WorldConfig world_config_of(const MatchConfig& config,
                                       std::uint32_t digest_version = kDigestVersion);

/// Of the pairs of layers that are meant only.
collision::CollisionMatrix matrix_of(const MatchConfig& config,
                                     const std::function<bool(const CollidingLayers&)>& is_meant);

/// By pairs of layers, the lower first: the tolerance that claims have at most. Of pairs that say it only.
using ClaimTolerances = std::map<std::pair<collision::LayerId, collision::LayerId>, std::uint32_t>;
ClaimTolerances claim_tolerances_of(const MatchConfig& config);

/// The name must be known.
collision::LayerId layer_index_of(const MatchConfig& config, std::string_view name);

/// Bit i is set where `names` has the name of layer i. All must be known.
std::uint64_t layer_set_of(const MatchConfig& config, const std::vector<std::string>& names);

}  // namespace sweepd::match
