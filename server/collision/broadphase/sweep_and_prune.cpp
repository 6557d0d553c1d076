// SPDX-License-Identifier: MIT
#include "collision/broadphase/sweep_and_prune.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "collision/broadphase/overlap_kernels.h"

namespace sweepd::collision {
SweepAndPrune::SweepAndPrune(const CollisionMatrix& matrix, const SweepTuning& tuning)
    : tuning_(tuning), standing_orders_(kLayersMax, StandingOrder(tuning)), finder_(tuning), change_finder_(tuning) {
  for (std::uint32_t a = 0; a < kLayersMax; ++a) {
    for (std::uint32_t b = a; b < kLayersMax; ++b) {
      if (!matrix.allows(static_cast<LayerId>(a), static_cast<LayerId>(b))) continue;
      pairs_.emplace_back();
      pairs_.back().a = static_cast<LayerId>(a);
      pairs_.back().b = static_cast<LayerId>(b);
    }
  }
}

void SweepAndPrune::update(const PartChanges& parts, OverlapChanges& overlaps) {
  apply(parts);
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    standing_orders_[layer].note_changes(layers_[layer]);
  }
  overlaps.began.clear();
  overlaps.ended.clear();
  for (LayerPair& pair : pairs_) update_pair(pair, overlaps);
  for (LayerBoxes& layer : layers_) layer.settle();
  for (const PartHandle part : parts.removed) places_[part] = {};
}

void SweepAndPrune::apply(const PartChanges& parts) {
  for (const PartHandle part : parts.removed) {
    SWEEPD_ASSERT(part < places_.size() && places_[part].layer != Place::kNowhere);
    layers_[places_[part].layer].remove(places_[part].slot);
  }
  move(parts.moved);
  for (const auto& [part, object, layer, box] : parts.added) {
    SWEEPD_ASSERT(layer < kLayersMax);
    if (part >= places_.size()) places_.resize(std::size_t{part} + 1);
    SWEEPD_ASSERT(places_[part].layer == Place::kNowhere);
    places_[part] = {layers_[layer].add(part, object, pack(box)), layer};
  }
}

/// Parts that move mostly come in runs of one layer.
void SweepAndPrune::move(std::span<const PartChanges::Moved> moved) {
  for (std::size_t i = 0; i < moved.size();) {
    SWEEPD_ASSERT(moved[i].part < places_.size());
    const LayerId layer = places_[moved[i].part].layer;
    SWEEPD_ASSERT(layer != Place::kNowhere);
    LayerBoxes::Mover mover(layers_[layer]);
    do {
      const Place place = places_[moved[i].part];
      if (place.layer != layer) break;
      mover.move(place.slot, pack(moved[i].box));
      ++i;
    } while (i < moved.size() && moved[i].part < places_.size());
  }
}

void SweepAndPrune::update_pair(LayerPair& pair, OverlapChanges& overlaps) {
  const LayerBoxes& a = layers_[pair.a];
  const LayerBoxes& b = layers_[pair.b];
  if (a.changed_count() + b.changed_count() == 0) return;
  if (have_few_changed(pair)) {
    compare_changed(pair, overlaps);
  } else if (have_most_moved_alike(pair)) {
    compare_others(pair, overlaps);
  } else {
    compare_all(pair, overlaps);
  }
}

bool SweepAndPrune::have_few_changed(const LayerPair& pair) const {
  return layers_[pair.a].has_few_changed() && layers_[pair.b].has_few_changed();
}

/// If so, leaves the others in others_a_ and others_b_.
bool SweepAndPrune::have_most_moved_alike(const LayerPair& pair) {
  const LayerBoxes& a = layers_[pair.a];
  const LayerBoxes& b = layers_[pair.b];
  const auto box_count = static_cast<std::int64_t>(a.size() + b.size());
  if (pair.standing_count < tuning_.standing_per_box * box_count) return false;
  const Displacement displacement = a.most_common_displacement();
  a.find_moved_otherwise(displacement, others_a_);
  b.find_moved_otherwise(displacement, others_b_);
  return (others_a_.size() + others_b_.size()) * LayerBoxes::kFewChanges <= a.size() + b.size();
}

void SweepAndPrune::compare_changed(LayerPair& pair, OverlapChanges& overlaps) {
  const LayerBoxes& a = layers_[pair.a];
  const LayerBoxes& b = layers_[pair.b];
  compare_sides(pair, {a, a.changed(), &standing_orders_[pair.a]}, {b, b.changed(), &standing_orders_[pair.b]},
                overlaps);
}

void SweepAndPrune::compare_others(LayerPair& pair, OverlapChanges& overlaps) {
  compare_sides(pair, {layers_[pair.a], others_a_, nullptr}, {layers_[pair.b], others_b_, nullptr}, overlaps);
}

void SweepAndPrune::compare_sides(LayerPair& pair, const ChangeFinder::Side& a, const ChangeFinder::Side& b,
                                  OverlapChanges& overlaps) {
  if (pair.is_same()) {
    change_finder_.find_self(a, began_, ended_);
  } else {
    change_finder_.find(a, b, began_, ended_);
  }
  if (began_.size() + ended_.size() > 0) pair.is_standing_known = false;
  report(pair, began_, ended_, overlaps);
}

void SweepAndPrune::compare_all(LayerPair& pair, OverlapChanges& overlaps) {
  const LayerBoxes& a = layers_[pair.a];
  const LayerBoxes& b = layers_[pair.b];
  const auto find = [&](Boxes boxes_a, Boxes boxes_b, SlotPairs& found) {
    if (pair.is_same()) {
      finder_.find_self(boxes_a, found);
    } else {
      finder_.find(boxes_a, boxes_b, found);
    }
  };
  if (!pair.is_standing_known) find(a.before(), b.before(), pair.standing);
  find(a.now(), b.now(), overlapping_);
  began_.clear();
  ended_.clear();
  kernels::find_apart(overlapping_, a.before().data(), b.before().data(), began_);
  kernels::find_apart(pair.standing, a.now().data(), b.now().data(), ended_);
  std::swap(pair.standing, overlapping_);
  pair.is_standing_known = true;
  report(pair, began_, ended_, overlaps);
}

void SweepAndPrune::report(LayerPair& pair, const SlotPairs& began, const SlotPairs& ended,
                           OverlapChanges& overlaps) const {
  const LayerBoxes& a = layers_[pair.a];
  const LayerBoxes& b = layers_[pair.b];
  const auto append = [&](const SlotPairs& pairs, std::vector<OverlapPair>& list) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Slot slot_a = pairs.first()[i];
      const Slot slot_b = pairs.second()[i];
      if (a.object(slot_a) == b.object(slot_b)) continue;
      const PartHandle part_a = a.part(slot_a);
      const PartHandle part_b = b.part(slot_b);
      list.push_back({std::min(part_a, part_b), std::max(part_a, part_b)});
    }
  };
  append(began, overlaps.began);
  append(ended, overlaps.ended);
  pair.standing_count += static_cast<std::int64_t>(began.size()) - static_cast<std::int64_t>(ended.size());
}

void SweepAndPrune::find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const {
  const PackedBox packed = pack(region);
  SlotPairs hits;
  for (std::uint64_t left = layers; left != 0; left &= left - 1) {
    const LayerBoxes& layer = layers_[static_cast<std::size_t>(std::countr_zero(left))];
    hits.clear();
    kernels::scan({&packed, 1}, layer.now(), hits);
    for (std::size_t i = 0; i < hits.size(); ++i) found.push_back(layer.part(hits.second()[i]));
  }
}

void SweepAndPrune::validate() const {
  for (const LayerBoxes& layer : layers_) layer.validate();
  for (std::size_t part = 0; part < places_.size(); ++part) {
    if (places_[part].layer == Place::kNowhere) continue;
    SWEEPD_ASSERT(layers_[places_[part].layer].part(places_[part].slot) == part);
  }
}

}  // namespace sweepd::collision
