// SPDX-License-Identifier: MIT
#include "bench/placed_parts.h"

namespace sweepd::bench {

using collision::LayerId;
using collision::PartChanges;
using collision::PartHandle;

PlacedParts::PlacedParts(const collision::CollisionMatrix& matrix) {
  for (LayerId a = 0; a < collision::kLayersMax; ++a) {
    for (LayerId b = a; b < collision::kLayersMax; ++b) {
      if (matrix.allows(a, b)) allowed_.emplace_back(a, b);
    }
  }
}

void PlacedParts::add(const PartChanges::Added& added) {
  if (added.part >= slots_.size()) slots_.resize(std::size_t{added.part} + 1);
  std::vector<Placed>& layer = layers_[added.layer];
  slots_[added.part] = {static_cast<std::uint32_t>(layer.size()), added.layer};
  layer.push_back({added.box, added.part, added.object});
}

void PlacedParts::remove(PartHandle part) {
  const Slot slot = slots_[part];
  std::vector<Placed>& layer = layers_[slot.layer];
  layer[slot.index] = layer.back();
  slots_[layer[slot.index].part].index = slot.index;
  layer.pop_back();
}

void PlacedParts::apply(const PartChanges& parts) {
  for (const PartHandle part : parts.removed) remove(part);
  for (const auto& [part, box] : parts.moved) layers_[slots_[part].layer][slots_[part].index].box = box;
  for (const auto& added : parts.added) add(added);
}

const std::vector<PlacedParts::LayerPair>& PlacedParts::layer_pairs() {
  layer_pairs_.clear();
  for (const auto& [a, b] : allowed_) {
    if (layers_[a].empty() || layers_[b].empty()) continue;
    if (layers_[a].size() < layers_[b].size()) {
      layer_pairs_.push_back({a, b});
    } else {
      layer_pairs_.push_back({b, a});
    }
  }
  return layer_pairs_;
}

}  // namespace sweepd::bench
