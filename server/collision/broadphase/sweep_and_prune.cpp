// SPDX-License-Identifier: MIT
#include "collision/broadphase/sweep_and_prune.h"

#include <algorithm>

#include "base/assert.h"
#include "collision/broadphase/sweep.h"

namespace sweepd::collision {
namespace {

// An entry in a sorted order costs about as much as this many tests of a scan.
constexpr std::size_t kScanTestsPerEntry = 32;

// Parts of each layer that are looked at to choose an axis: enough to see an axis that hardly tells parts
// apart.
constexpr std::size_t kSamples = 24;

// Points have no size to compare a step with. 16 units a tick are still a step and not a jump.
constexpr std::int64_t kStepAlways = 16 * 256;

/// Whether a sweep had better look at both places than at all between them. Either is right.
bool is_jump(const Box& was, const Box& is) {
  const auto is_long = [](Subunits was_min, Subunits was_max, Subunits is_min, Subunits is_max) {
    const std::int64_t way =
        std::max<std::int64_t>(was_max, is_max) - std::min<std::int64_t>(was_min, is_min);
    const std::int64_t sizes = (std::int64_t{was_max} - was_min) + (std::int64_t{is_max} - is_min);
    return way > kStepAlways + 2 * sizes;
  };
  return is_long(was.min_x, was.max_x, is.min_x, is.max_x) ||
         is_long(was.min_y, was.max_y, is.min_y, is.max_y);
}

}  // namespace

SweepAndPrune::SweepAndPrune(const CollisionMatrix& matrix) {
  for (std::uint32_t a = 0; a < kLayersMax; ++a) {
    for (std::uint32_t b = a; b < kLayersMax; ++b) {
      const LayerPair pair{static_cast<LayerId>(a), static_cast<LayerId>(b)};
      if (matrix.allows(pair.a, pair.b)) pairs_.push_back(pair);
    }
  }
}

void SweepAndPrune::add(PartHandle part, std::uint32_t object, LayerId layer, const Box& box) {
  SWEEPD_ASSERT(layer < kLayersMax && !is_ghost(part));
  if (part >= parts_.size()) parts_.resize(std::size_t{part} + 1);
  TrackedPart& tracked = parts_[part];
  SWEEPD_ASSERT(!tracked.exists && !tracked.changed);
  tracked = {.was = box, .is = box, .object = object, .layer = layer, .exists = true, .changed = true};
  layers_[layer].add(part, parts_);
}

void SweepAndPrune::move(PartHandle part, const Box& box) {
  SWEEPD_ASSERT(part < parts_.size() && parts_[part].exists);
  TrackedPart& tracked = parts_[part];
  if (tracked.is == box) return;
  tracked.is = box;
  tracked.jumped = tracked.existed && is_jump(tracked.was, box);
  if (!tracked.changed) layers_[tracked.layer].note_moved(part);
  tracked.changed = true;
}

void SweepAndPrune::remove(PartHandle part) {
  SWEEPD_ASSERT(part < parts_.size() && parts_[part].exists && parts_[part].existed);
  TrackedPart& tracked = parts_[part];
  layers_[tracked.layer].remove(part, parts_);
  tracked.exists = false;
  tracked.changed = true;
}

void SweepAndPrune::update(const PartChanges& parts, OverlapChanges& overlaps) {
  for (const PartHandle part : parts.removed) remove(part);
  for (const auto& [part, box] : parts.moved) move(part, box);
  for (const auto& [part, object, layer, box] : parts.added) add(part, object, layer, box);
  overlaps.began.clear();
  overlaps.ended.clear();
  const PairVerifier verifier(parts_, overlaps);
  for (LayerPair& pair : pairs_) update_pair(pair, verifier);
  for (LayerParts& layer : layers_) layer.settle(parts_);
}

void SweepAndPrune::update_pair(LayerPair& pair, const PairVerifier& verifier) {
  const LayerParts& a = layers_[pair.a];
  const LayerParts& b = layers_[pair.b];
  if (!a.has_changed() && !b.has_changed()) return;
  if (a.entry_count() == 0 || b.entry_count() == 0) return;
  if (is_scan_cheaper(a, b)) {
    scan_pair(pair, verifier);
  } else {
    pair.axis = choose_axis(pair);
    sweep_pair(pair, verifier);
  }
}

bool SweepAndPrune::is_scan_cheaper(const LayerParts& a, const LayerParts& b) const {
  const std::size_t tests = a.changed_count() * b.entry_count() + a.entry_count() * b.changed_count();
  return tests <= kScanTestsPerEntry * (a.entry_count() + b.entry_count());
}

void SweepAndPrune::scan_pair(const LayerPair& pair, const PairVerifier& verifier) {
  const LayerParts::Lists& a = layers_[pair.a].unsorted(parts_);
  const LayerParts::Lists& b = layers_[pair.b].unsorted(parts_);
  scan(a.changed, b.standing, verifier);
  if (pair.a == pair.b) {
    scan_self(a.changed, verifier);
  } else {
    scan(a.standing, b.changed, verifier);
    scan(a.changed, b.changed, verifier);
  }
}

void SweepAndPrune::sweep_pair(const LayerPair& pair, const PairVerifier& verifier) {
  const LayerParts::Lists& a = layers_[pair.a].sorted(pair.axis, parts_);
  const LayerParts::Lists& b = layers_[pair.b].sorted(pair.axis, parts_);
  sweep(a.changed, b.standing, verifier);
  if (pair.a == pair.b) {
    sweep_self(a.changed, verifier);
  } else {
    sweep(a.standing, b.changed, verifier);
    sweep(a.changed, b.changed, verifier);
  }
}

/// The axis on which fewer of a sample of pairs overlap; the one at hand unless the other is clearly better.
/// Counting pairs, unlike measuring spreads, is not misled by a few parts far out.
Axis SweepAndPrune::choose_axis(const LayerPair& pair) const {
  const std::vector<PartHandle>& a = layers_[pair.a].members();
  const std::vector<PartHandle>& b = layers_[pair.b].members();
  const std::size_t step_a = a.size() / kSamples + 1;
  const std::size_t step_b = b.size() / kSamples + 1;
  std::size_t along_x = 0;
  std::size_t along_y = 0;
  for (std::size_t i = 0; i < a.size(); i += step_a) {
    const Box& one = parts_[a[i]].is;
    for (std::size_t j = 0; j < b.size(); j += step_b) {
      const Box& other = parts_[b[j]].is;
      along_x += (one.min_x <= other.max_x) & (other.min_x <= one.max_x);
      along_y += (one.min_y <= other.max_y) & (other.min_y <= one.max_y);
    }
  }
  if (pair.axis == Axis::kX) return along_x > 2 * along_y + kSamples ? Axis::kY : Axis::kX;
  return along_y > 2 * along_x + kSamples ? Axis::kX : Axis::kY;
}

void SweepAndPrune::find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const {
  for (PartHandle part = 0; part < parts_.size(); ++part) {
    const TrackedPart& tracked = parts_[part];
    if (tracked.exists && (layers >> tracked.layer & 1) != 0 && overlap(tracked.is, region)) {
      found.push_back(part);
    }
  }
}

void SweepAndPrune::validate() const {
  for (const LayerParts& layer : layers_) layer.validate(parts_);
}

}  // namespace sweepd::collision
