// SPDX-License-Identifier: MIT
#include "match/world_config.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace sweepd::match {
namespace {

/// The words of collision hold a row's first pixel in their lowest bit, as the bytes of the contract do.
collision::BitMask bit_mask_of(const MaskConfig& mask) {
  const std::uint32_t words = collision::BitMask::words_per_row(mask.width);
  std::vector<std::uint64_t> rows(std::size_t{words} * mask.height);
  for (std::uint32_t y = 0; y < mask.height; ++y) {
    for (std::uint32_t x = 0; x < mask.width; ++x) {
      if (mask.pixel(x, y)) rows[std::size_t{y} * words + x / 64] |= std::uint64_t{1} << x % 64;
    }
  }
  return {mask.width, mask.height, static_cast<collision::Subunits>(mask.pixel_size), std::move(rows)};
}

void add_pair(const MatchConfig& config, const CollidingLayers& pair, collision::WorldConfig& world) {
  const collision::LayerId a = layer_index_of(config, pair.layer_a);
  const collision::LayerId b = layer_index_of(config, pair.layer_b);
  const bool is_new = !world.matrix.allows(a, b);
  world.matrix.allow(a, b);
  if (is_new && pair.has_rule()) {
    world.contact_rules.push_back(
        {std::min(a, b), std::max(a, b), pair.sensor || pair.by_claims, pair.damage_interval_ticks});
  }
}

}  // namespace

collision::LayerId layer_index_of(const MatchConfig& config, std::string_view name) {
  const auto found = std::ranges::find(config.layers, name);
  SWEEPD_ASSERT(found != config.layers.end());
  return static_cast<collision::LayerId>(found - config.layers.begin());
}

std::uint64_t layer_set_of(const MatchConfig& config, const std::vector<std::string>& names) {
  std::uint64_t set = 0;
  for (const std::string& name : names) set |= std::uint64_t{1} << layer_index_of(config, name);
  return set;
}

collision::CollisionMatrix matrix_of(const MatchConfig& config,
                                     const std::function<bool(const CollidingLayers&)>& is_meant) {
  collision::CollisionMatrix matrix;
  for (const CollidingLayers& pair : config.collides) {
    if (is_meant(pair))
      matrix.allow(layer_index_of(config, pair.layer_a), layer_index_of(config, pair.layer_b));
  }
  return matrix;
}

collision::WorldConfig world_config_of(const MatchConfig& config, std::uint32_t digest_version) {
  SWEEPD_ASSERT(!config.layers.empty() && config.layers.size() <= collision::kLayersMax);
  collision::WorldConfig world;
  world.layer_count = static_cast<std::uint32_t>(config.layers.size());
  world.playfield = config.playfield;
  world.broadphase = config.broadphase;
  world.sector_grid = {config.sector_grid.scheme,
                       static_cast<collision::Subunits>(config.sector_grid.sector_size)};
  world.budget = tick_budget_of(config.budgets);
  if (digest_version < kRulesAsSpecified) {
    world.sweep_rules = {.meets_still_leavers = false,
                         .enabling_passes_over_teleports = false,
                         .tests_per_sweep = 4,
                         .leavers_count_all_probes = true};
  }
  for (const CollidingLayers& pair : config.collides) add_pair(config, pair, world);
  for (const MaskConfig& mask : config.masks) world.masks.push_back(bit_mask_of(mask));
  return world;
}

ClaimTolerances claim_tolerances_of(const MatchConfig& config) {
  ClaimTolerances most;
  for (const CollidingLayers& pair : config.collides) {
    if (!pair.claim_tolerance_max) continue;
    const std::pair<collision::LayerId, collision::LayerId> layers =
        std::minmax({layer_index_of(config, pair.layer_a), layer_index_of(config, pair.layer_b)});
    most[layers] = *pair.claim_tolerance_max;
  }
  return most;
}

}  // namespace sweepd::match
