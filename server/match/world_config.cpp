// SPDX-License-Identifier: MIT
#include "match/world_config.h"

#include <algorithm>
#include <string_view>

#include "base/assert.h"

namespace sweepd::match {
namespace {

collision::LayerId index_of(const MatchConfig& config, std::string_view name) {
  const auto found = std::ranges::find(config.layers, name);
  SWEEPD_ASSERT(found != config.layers.end());
  return static_cast<collision::LayerId>(found - config.layers.begin());
}

}  // namespace

collision::WorldConfig world_config_of(const MatchConfig& config) {
  SWEEPD_ASSERT(!config.layers.empty() && config.layers.size() <= collision::kLayersMax);
  collision::WorldConfig world;
  world.layer_count = static_cast<std::uint32_t>(config.layers.size());
  world.playfield = config.playfield;
  world.broadphase = config.broadphase;
  for (const auto& [layer_a, layer_b] : config.collides) {
    world.matrix.allow(index_of(config, layer_a), index_of(config, layer_b));
  }
  return world;
}

}  // namespace sweepd::match
