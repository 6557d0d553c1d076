// SPDX-License-Identifier: MIT
#include "collision/broadphase/sweep_and_prune.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "base/growth.h"
#include "collision/broadphase/overlap_kernels.h"
#include "collision/broadphase/sweep_scratch.h"
#include "collision/object.h"

namespace sweepd::collision {
namespace {

// Of one object, whose parts' overlaps are found and left out.
constexpr std::size_t kOwnPairsPerPart = kPartsMax / 2;

}  // namespace

SweepAndPrune::SweepAndPrune(const CollisionMatrix& matrix, const SweepTuning& tuning, std::size_t pairs_max)
    : tuning_(tuning), pairs_max_(pairs_max) {
  for (std::uint32_t a = 0; a < kLayersMax; ++a) {
    for (std::uint32_t b = a; b < kLayersMax; ++b) {
      if (!matrix.allows(static_cast<LayerId>(a), static_cast<LayerId>(b))) continue;
      pairs_.emplace_back();
      pairs_.back().a = static_cast<LayerId>(a);
      pairs_.back().b = static_cast<LayerId>(b);
    }
  }
}

bool SweepAndPrune::update(const PartChanges& parts, OverlapChanges& overlaps) {
  apply(parts);
  for (Layer& layer : layers_) {
    if (layer.standing != nullptr) layer.standing->note_changes(layer.boxes);
  }
  overlaps.began.clear();
  overlaps.ended.clear();
  for (LayerPair& pair : pairs_) {
    if (!update_pair(pair, overlaps)) return false;
  }
  for (Layer& layer : layers_) layer.boxes.settle();
  for (const PartHandle part : parts.removed) places_[part] = {};
  pair_count_ += overlaps.began.size() - overlaps.ended.size();
  return pair_count_ <= pairs_max_;
}

void SweepAndPrune::apply(const PartChanges& parts) {
  for (const PartHandle part : parts.removed) {
    SWEEPD_ASSERT(part < places_.size() && places_[part].is_anywhere());
    layers_[places_[part].layer].boxes.remove(places_[part].slot);
  }
  move(parts.moved);
  for (const auto& [part, object, layer, box] : parts.added) {
    SWEEPD_ASSERT(layer < kLayersMax);
    if (layer >= layers_.size()) base::grow_to(layers_, std::size_t{layer} + 1);
    if (part >= places_.size()) base::grow_to(places_, std::size_t{part} + 1);
    SWEEPD_ASSERT(!places_[part].is_anywhere());
    const Slot slot = layers_[layer].boxes.add(part, object, pack(box));
    SWEEPD_ASSERT(slot < Place::kNoSlot);
    places_[part] = {layer, slot};
  }
}

/// Parts that move mostly come in runs of one layer.
void SweepAndPrune::move(std::span<const PartChanges::Moved> moved) {
  for (std::size_t i = 0; i < moved.size();) {
    SWEEPD_ASSERT(moved[i].part < places_.size());
    SWEEPD_ASSERT(places_[moved[i].part].is_anywhere());
    const std::uint32_t layer = places_[moved[i].part].layer;
    LayerBoxes::Mover mover(layers_[layer].boxes);
    do {
      const Place place = places_[moved[i].part];
      if (place.layer != layer || !place.is_anywhere()) break;
      mover.move(place.slot, pack(moved[i].box));
      ++i;
    } while (i < moved.size() && moved[i].part < places_.size());
  }
}

/// How much is found at most, where no more than pairs_max_ may overlap. As few overlapped before, what is
/// found of both, each from either side, is at most four times that: more is too much.
std::size_t SweepAndPrune::found_limit(const LayerPair& pair) const {
  if (pairs_max_ == kUnbounded) return kUnbounded;
  const std::size_t parts = layers_[pair.a].boxes.size() + layers_[pair.b].boxes.size();
  return 4 * (pairs_max_ + kOwnPairsPerPart * parts);
}

bool SweepAndPrune::update_pair(LayerPair& pair, OverlapChanges& overlaps) {
  if (std::max(pair.a, pair.b) >= layers_.size()) return true;
  const LayerBoxes& a = layers_[pair.a].boxes;
  const LayerBoxes& b = layers_[pair.b].boxes;
  if (a.changed_count() + b.changed_count() == 0) return true;
  sweep_scratch().set_limit(found_limit(pair));
  const bool is_bounded = have_few_changed(pair)        ? compare_changed(pair, overlaps)
                          : have_most_moved_alike(pair) ? compare_others(pair, overlaps)
                                                        : compare_all(pair, overlaps);
  return is_bounded && overlaps.began.size() <= pairs_max_;
}

/// Few enough: those that changed are compared with each other, which takes the square of them.
bool SweepAndPrune::have_few_changed(const LayerPair& pair) const {
  const LayerBoxes& a = layers_[pair.a].boxes;
  const LayerBoxes& b = layers_[pair.b].boxes;
  if (!a.has_few_changed() || !b.has_few_changed()) return false;
  return a.changed_count() * b.changed_count() <= tuning_.changed_comparisons_per_box * (a.size() + b.size());
}

/// If so, leaves the others in the scratch memory.
bool SweepAndPrune::have_most_moved_alike(const LayerPair& pair) const {
  const LayerBoxes& a = layers_[pair.a].boxes;
  const LayerBoxes& b = layers_[pair.b].boxes;
  const auto box_count = static_cast<std::int64_t>(a.size() + b.size());
  if (pair.standing_count < tuning_.standing_per_box * box_count) return false;
  SweepScratch& scratch = sweep_scratch();
  const Displacement displacement = a.most_common_displacement();
  a.find_moved_otherwise(displacement, scratch.others_a);
  b.find_moved_otherwise(displacement, scratch.others_b);
  return scratch.others_a.size() * b.size() + scratch.others_b.size() * a.size() <=
         tuning_.scan_comparisons_per_box * (a.size() + b.size());
}

ChangeFinder::Side SweepAndPrune::changed_side(LayerId id, std::size_t other_changed_count) {
  Layer& layer = layers_[id];
  const bool is_sorted = other_changed_count >= tuning_.sort_for_changed;
  if (is_sorted && layer.standing == nullptr) layer.standing = std::make_unique<StandingOrder>();
  return {layer.boxes, layer.boxes.changed(), is_sorted ? layer.standing.get() : nullptr};
}

bool SweepAndPrune::compare_changed(LayerPair& pair, OverlapChanges& overlaps) {
  const std::size_t changed_a = layers_[pair.a].boxes.changed_count();
  const std::size_t changed_b = layers_[pair.b].boxes.changed_count();
  return compare_sides(pair, changed_side(pair.a, changed_b), changed_side(pair.b, changed_a), overlaps);
}

bool SweepAndPrune::compare_others(LayerPair& pair, OverlapChanges& overlaps) {
  const SweepScratch& scratch = sweep_scratch();
  return compare_sides(pair, {layers_[pair.a].boxes, scratch.others_a, nullptr},
                       {layers_[pair.b].boxes, scratch.others_b, nullptr}, overlaps);
}

bool SweepAndPrune::compare_sides(LayerPair& pair, const ChangeFinder::Side& a, const ChangeFinder::Side& b,
                                  OverlapChanges& overlaps) {
  SweepScratch& scratch = sweep_scratch();
  const bool is_bounded = pair.is_same() ? scratch.change_finder.find_self(a, scratch.began, scratch.ended)
                                         : scratch.change_finder.find(a, b, scratch.began, scratch.ended);
  if (!is_bounded) return false;
  if (scratch.began.size() + scratch.ended.size() > 0) pair.is_standing_known = false;
  report(pair, overlaps);
  return true;
}

/// An overlap that was not before began; one of before that is no more ended.
bool SweepAndPrune::compare_all(LayerPair& pair, OverlapChanges& overlaps) {
  const LayerBoxes& a = layers_[pair.a].boxes;
  const LayerBoxes& b = layers_[pair.b].boxes;
  SweepScratch& scratch = sweep_scratch();
  if (!pair.is_standing_known) {
    find_all(pair, a.before(), b.before(), scratch.overlapping);
    pair.standing.assign(scratch.overlapping);
  }
  find_all(pair, a.now(), b.now(), scratch.overlapping);
  if (scratch.overlapping.is_over_limit()) return false;
  scratch.began.clear();
  scratch.ended.clear();
  kernels::find_apart(scratch.overlapping, a.before().data(), b.before().data(), scratch.began);
  kernels::find_apart(pair.standing, a.now().data(), b.now().data(), scratch.ended);
  pair.standing.assign(scratch.overlapping);
  pair.is_standing_known = true;
  report(pair, overlaps);
  return true;
}

void SweepAndPrune::find_all(LayerPair& pair, Boxes a, Boxes b, SlotPairs& found) {
  OverlapFinder& finder = sweep_scratch().finder;
  if (pair.is_same()) {
    finder.find_self(a, tuning_, pair.fit, found);
  } else {
    finder.find(a, b, tuning_, pair.fit, found);
  }
}

/// Parts of one object may overlap as they like: their pairs are known, and kept from the answer.
void SweepAndPrune::report(LayerPair& pair, OverlapChanges& overlaps) const {
  const SweepScratch& scratch = sweep_scratch();
  append(pair, scratch.began, overlaps.began);
  append(pair, scratch.ended, overlaps.ended);
  pair.standing_count +=
      static_cast<std::int64_t>(scratch.began.size()) - static_cast<std::int64_t>(scratch.ended.size());
}

/// Without a branch: which of two handles is the lower cannot be predicted.
void SweepAndPrune::append(const LayerPair& pair, const SlotPairs& slots,
                           std::vector<OverlapPair>& list) const {
  const LayerBoxes& a = layers_[pair.a].boxes;
  const LayerBoxes& b = layers_[pair.b].boxes;
  std::size_t size = list.size();
  list.resize(size + slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const LayerBoxes::Owner owner_a = a.owner(slots.first()[i]);
    const LayerBoxes::Owner owner_b = b.owner(slots.second()[i]);
    const PartHandle first = std::min(owner_a.part, owner_b.part);
    list[size] = {first, owner_a.part ^ owner_b.part ^ first};
    size += owner_a.object != owner_b.object ? 1 : 0;
  }
  list.resize(size);
}

Box SweepAndPrune::box_of(PartHandle part) const {
  const Place place = places_[part];
  return unpack(layers_[place.layer].boxes.now()[place.slot]);
}

void SweepAndPrune::find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const {
  std::vector<RegionHit>& hits = sweep_scratch().hits;
  hits.clear();
  for (std::uint64_t left = layers; left != 0; left &= left - 1) {
    find_each({&region, 1}, static_cast<LayerId>(std::countr_zero(left)), hits);
  }
  for (const RegionHit& hit : hits) found.push_back(hit.part);
}

void SweepAndPrune::find_each(std::span<const Box> regions, LayerId id, std::vector<RegionHit>& found,
                              std::size_t found_max) const {
  if (id >= layers_.size()) return;
  const LayerBoxes& layer = layers_[id].boxes;
  SweepScratch& scratch = sweep_scratch();
  scratch.regions.clear();
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    const bool is_all =
        regions[i] == kWholeRange;  // Meets even what is nothing: not to be asked of the kernels.
    if (is_all && found.size() <= found_max) find_all(layer, i, found);
    scratch.regions.push_back(is_all ? kNoBox : pack(regions[i]));
  }
  SlotPairs& pairs = scratch.overlapping;
  pairs.clear();
  pairs.set_limit(found_max);
  kernels::scan(scratch.regions, layer.now(), pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    found.push_back({pairs.first()[i], layer.part(pairs.second()[i])});
  }
}

void SweepAndPrune::find_all(const LayerBoxes& layer, std::uint32_t region, std::vector<RegionHit>& found) {
  for (Slot slot = 0; slot < layer.now().size(); ++slot) {
    if (layer.now()[slot] != kNoBox) found.push_back({region, layer.part(slot)});
  }
}

void SweepAndPrune::validate() const {
  for (const Layer& layer : layers_) layer.boxes.validate();
  for (std::size_t part = 0; part < places_.size(); ++part) {
    if (!places_[part].is_anywhere()) continue;
    SWEEPD_ASSERT(layers_[places_[part].layer].boxes.part(places_[part].slot) == part);
  }
}

}  // namespace sweepd::collision
