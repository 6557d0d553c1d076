// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/layers.h"

namespace sweepd::bench {

/// The parts of every layer, densely: what a library that is fed anew every tick is fed from.
/// Invariant: slots_[part] says where the part's box is in its layer.
class PlacedParts {
 public:
  struct Placed {
    collision::Box box;
    collision::PartHandle part = 0;
    std::uint32_t object = 0;
  };
  struct LayerPair {
    collision::LayerId smaller = 0;  ///< The one with fewer parts now.
    collision::LayerId larger = 0;   ///< The same if the layer collides with itself.
  };

  explicit PlacedParts(const collision::CollisionMatrix& matrix);

  void apply(const collision::PartChanges& parts);

  std::span<const Placed> on_layer(collision::LayerId layer) const { return layers_[layer]; }
  const Placed& at(collision::PartHandle part) const {
    return layers_[slots_[part].layer][slots_[part].index];
  }
  collision::LayerId layer_of(collision::PartHandle part) const { return slots_[part].layer; }
  /// Pairs of layers that collide and have parts.
  const std::vector<LayerPair>& layer_pairs();

 private:
  struct Slot {
    std::uint32_t index = 0;
    collision::LayerId layer = 0;
  };

  void add(const collision::PartChanges::Added& added);
  void remove(collision::PartHandle part);

  std::vector<std::pair<collision::LayerId, collision::LayerId>> allowed_;
  std::vector<LayerPair> layer_pairs_;
  std::array<std::vector<Placed>, collision::kLayersMax> layers_;
  std::vector<Slot> slots_;
};

}  // namespace sweepd::bench
