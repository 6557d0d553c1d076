// SPDX-License-Identifier: MIT
//
// CGAL's box_intersection_d: complete for a layer that collides with itself, bipartite for two.
#include <CGAL/box_intersection_d.h>

#include "bench/contender.h"
#include "bench/pair_history.h"
#include "bench/placed_parts.h"

namespace sweepd::bench {
namespace {

using Placed = PlacedParts::Placed;

/// How CGAL reads our boxes.
struct PlacedTraits {
  using Box_parameter = const Placed&;
  using NT = collision::Subunits;
  using ID = collision::PartHandle;

  static int dimension() { return 2; }
  static ID id(Box_parameter placed) { return placed.part; }
  static NT min_coord(Box_parameter placed, int axis) {
    return axis == 0 ? placed.box.min_x : placed.box.min_y;
  }
  static NT max_coord(Box_parameter placed, int axis) {
    return axis == 0 ? placed.box.max_x : placed.box.max_y;
  }
};

class CgalBoxes : public Contender {
 public:
  explicit CgalBoxes(const Arena& arena) : parts_(arena.matrix) {}

  void tick(const collision::PartChanges& parts, collision::OverlapChanges& overlaps) override {
    parts_.apply(parts);
    history_.begin_tick(overlaps);
    const auto report = [this](const Placed& a, const Placed& b) {
      if (a.object != b.object) history_.found(a.part, b.part);
    };
    for (const auto& [smaller, larger] : parts_.layer_pairs()) {
      copy(smaller, few_);
      copy(larger, many_);
      CGAL::box_intersection_d(
          few_.begin(), few_.end(), many_.begin(), many_.end(), report, PlacedTraits(), kCutoff,
          CGAL::Box_intersection_d::CLOSED,
          smaller == larger ? CGAL::Box_intersection_d::COMPLETE : CGAL::Box_intersection_d::BIPARTITE);
    }
    history_.end_tick();
  }

 private:
  static constexpr std::ptrdiff_t kCutoff = 40;

  /// CGAL puts the boxes into another order: it gets its own.
  void copy(collision::LayerId layer, std::vector<Placed>& boxes) {
    const auto placed = parts_.on_layer(layer);
    boxes.assign(placed.begin(), placed.end());
  }

  PlacedParts parts_;
  PairHistory history_;
  std::vector<Placed> few_, many_;
};

}  // namespace

std::unique_ptr<Contender> make_cgal_boxes(const Arena& arena) { return std::make_unique<CgalBoxes>(arena); }

}  // namespace sweepd::bench
