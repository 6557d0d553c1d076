// SPDX-License-Identifier: MIT
//
// Box2D's dynamic tree, one for each layer that others ask: of two layers, the larger one's boxes ask the
// smaller one's tree. The tree keeps boxes a little larger than ours: the exact boxes decide.
#include <box2d/b2_dynamic_tree.h>

#include <array>
#include <memory>
#include <vector>

#include "bench/contender.h"
#include "bench/pair_history.h"
#include "bench/placed_parts.h"

namespace sweepd::bench {
namespace {

using collision::Box;
using collision::LayerId;
using collision::PartHandle;

/// A unit is 256 subunits: what Box2D's margins are made for. Exact, as subunits of all scenes have fewer
/// than 24 bits.
b2AABB tree_box(const Box& box) {
  constexpr float kUnitsPerSubunit = 1.0f / 256;
  b2AABB result;
  result.lowerBound = {static_cast<float>(box.min_x) * kUnitsPerSubunit,
                       static_cast<float>(box.min_y) * kUnitsPerSubunit};
  result.upperBound = {static_cast<float>(box.max_x) * kUnitsPerSubunit,
                       static_cast<float>(box.max_y) * kUnitsPerSubunit};
  return result;
}

class Box2dTrees : public Contender {
 public:
  explicit Box2dTrees(const Arena& arena)
      : parts_(arena.matrix), proxies_(arena.parts_max), boxes_(arena.parts_max) {}

  void tick(const collision::PartChanges& parts, collision::OverlapChanges& overlaps) override {
    for (const PartHandle part : parts.removed) {
      if (auto& tree = trees_[parts_.layer_of(part)]) tree->DestroyProxy(proxies_[part]);
    }
    parts_.apply(parts);
    for (const auto& moved : parts.moved) move(moved);
    for (const auto& added : parts.added) {
      boxes_[added.part] = added.box;
      if (trees_[added.layer]) plant(added.layer, added.part, added.box);
    }
    history_.begin_tick(overlaps);
    for (const auto& [smaller, larger] : parts_.layer_pairs()) {
      if (!trees_[smaller]) plant(smaller);
      for (const auto& placed : parts_.on_layer(larger)) ask(*trees_[smaller], placed, smaller == larger);
    }
    history_.end_tick();
  }

 private:
  void plant(LayerId layer) {
    trees_[layer] = std::make_unique<b2DynamicTree>();
    for (const auto& placed : parts_.on_layer(layer)) plant(layer, placed.part, placed.box);
  }

  void plant(LayerId layer, PartHandle part, const Box& box) {
    proxies_[part] = trees_[layer]->CreateProxy(tree_box(box), handle_as_data(part));
  }

  void move(const collision::PartChanges::Moved& moved) {
    const auto& [part, box] = moved;
    if (auto& tree = trees_[parts_.layer_of(part)]) {
      const b2AABB from = tree_box(boxes_[part]);
      const b2AABB to = tree_box(box);
      tree->MoveProxy(proxies_[part], to, to.lowerBound - from.lowerBound);
    }
    boxes_[part] = box;
  }

  static void* handle_as_data(PartHandle part) { return reinterpret_cast<void*>(std::uintptr_t{part}); }

  /// What the tree calls for each of its boxes.
  struct Asking {
    Box2dTrees& contender;
    const b2DynamicTree& tree;
    const PlacedParts::Placed& placed;
    bool is_own_layer = false;

    bool QueryCallback(int proxy) const {
      const auto other = static_cast<PartHandle>(reinterpret_cast<std::uintptr_t>(tree.GetUserData(proxy)));
      // On its own layer, both would find each other.
      if (is_own_layer && other <= placed.part) return true;
      if (!overlap(contender.boxes_[other], placed.box)) return true;
      if (contender.parts_.at(other).object != placed.object) contender.history_.found(placed.part, other);
      return true;
    }
  };

  void ask(const b2DynamicTree& tree, const PlacedParts::Placed& placed, bool is_own_layer) {
    const Asking asking{*this, tree, placed, is_own_layer};
    tree.Query(&asking, tree_box(placed.box));
  }

  PlacedParts parts_;
  PairHistory history_;
  std::array<std::unique_ptr<b2DynamicTree>, collision::kLayersMax> trees_;
  std::vector<int> proxies_;  // By handle.
  std::vector<Box> boxes_;    // By handle.
};

}  // namespace

std::unique_ptr<Contender> make_box2d_trees(const Arena& arena) {
  return std::make_unique<Box2dTrees>(arena);
}

}  // namespace sweepd::bench
