// SPDX-License-Identifier: MIT
//
// Boost.Geometry's rtree, packed anew every tick: one for each layer that is asked, asked by the smaller
// layer.
#include <array>
#include <boost/geometry/core/cs.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/geometries/register/box.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>

#include "bench/contender.h"
#include "bench/pair_history.h"
#include "bench/placed_parts.h"

namespace sweepd::bench {
namespace {

namespace index = boost::geometry::index;
using collision::LayerId;
using Corner = boost::geometry::model::point<collision::Subunits, 2, boost::geometry::cs::cartesian>;
using TreeBox = boost::geometry::model::box<Corner>;

TreeBox tree_box(const collision::Box& box) { return {{box.min_x, box.min_y}, {box.max_x, box.max_y}}; }

struct Value {
  TreeBox box;
  std::uint32_t object = 0;
  collision::PartHandle part = 0;
};

struct BoxOfValue {
  using result_type = const TreeBox&;
  result_type operator()(const Value& value) const { return value.box; }
};

struct SameValue {
  bool operator()(const Value& a, const Value& b) const { return a.part == b.part; }
};

/// Measured best of 4 to 64 entries a node on most scenes.
using Tree = index::rtree<Value, index::quadratic<16>, BoxOfValue, SameValue>;

class BoostRtree : public Contender {
 public:
  explicit BoostRtree(const Arena& arena) : parts_(arena.matrix) {}

  void tick(const collision::PartChanges& parts, collision::OverlapChanges& overlaps) override {
    parts_.apply(parts);
    history_.begin_tick(overlaps);
    is_packed_.fill(false);
    for (const auto& [smaller, larger] : parts_.layer_pairs()) {
      pack(smaller);
      for (const auto& placed : parts_.on_layer(larger)) ask(trees_[smaller], placed, smaller == larger);
    }
    history_.end_tick();
  }

 private:
  void pack(LayerId layer) {
    if (is_packed_[layer]) return;
    is_packed_[layer] = true;
    values_.clear();
    for (const auto& placed : parts_.on_layer(layer)) {
      values_.push_back({tree_box(placed.box), placed.object, placed.part});
    }
    trees_[layer] = Tree(values_);
  }

  void ask(const Tree& tree, const PlacedParts::Placed& placed, bool is_own_layer) {
    tree.query(index::intersects(tree_box(placed.box)),
               boost::make_function_output_iterator([&](const Value& value) {
                 // On its own layer, both would find each other.
                 if (is_own_layer && value.part <= placed.part) return;
                 if (value.object != placed.object) history_.found(placed.part, value.part);
               }));
  }

  PlacedParts parts_;
  PairHistory history_;
  std::vector<Value> values_;
  std::array<Tree, collision::kLayersMax> trees_;
  std::array<bool, collision::kLayersMax> is_packed_{};
};

}  // namespace

std::unique_ptr<Contender> make_boost_rtree(const Arena& arena) {
  return std::make_unique<BoostRtree>(arena);
}

}  // namespace sweepd::bench
