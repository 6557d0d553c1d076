// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/broadphase/layer_parts.h"
#include "collision/broadphase/pair_verifier.h"
#include "collision/broadphase/tracked_part.h"

namespace sweepd::collision {

/// Sweep and prune, layer pair by layer pair: each layer keeps its parts sorted along an axis, and two orders
/// are swept together. Pairs the matrix forbids are never looked at, nor are layers of which nothing changed.
/// No table of pairs is kept: a part that changed is looked at where it was and where it is, and a pair is
/// reported if the two answers differ. So standing pairs cost no memory, and no time unless one of the two
/// moves.
class SweepAndPrune final : public Broadphase {
 public:
  explicit SweepAndPrune(const CollisionMatrix& matrix);

  void update(const PartChanges& parts, OverlapChanges& overlaps) override;
  void find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const override;
  void validate() const override;

 private:
  struct LayerPair {
    LayerId a;
    LayerId b;  // Not less than a.
    Axis axis = Axis::kX;
  };

  void add(PartHandle part, std::uint32_t object, LayerId layer, const Box& box);
  void move(PartHandle part, const Box& box);
  void remove(PartHandle part);
  void update_pair(LayerPair& pair, const PairVerifier& verifier);
  void scan_pair(const LayerPair& pair, const PairVerifier& verifier);
  void sweep_pair(const LayerPair& pair, const PairVerifier& verifier);
  bool is_scan_cheaper(const LayerParts& a, const LayerParts& b) const;
  Axis choose_axis(const LayerPair& pair) const;

  std::vector<TrackedPart> parts_;  // By handle.
  std::array<LayerParts, kLayersMax> layers_;
  std::vector<LayerPair> pairs_;  // That the matrix allows.
};

}  // namespace sweepd::collision
