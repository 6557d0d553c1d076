// SPDX-License-Identifier: MIT
#include "collision/exact_pairs.h"

#include <algorithm>

#include "base/assert.h"
#include "collision/contact.h"
#include "collision/shapes/test_cost.h"

namespace sweepd::collision {
namespace {

bool has_changed(const OverlapPair& pair, const ObjectTable& objects) {
  const PartPool& parts = objects.parts();
  return objects[parts.owner(pair.first).object].is_changed ||
         objects[parts.owner(pair.second).object].is_changed;
}

bool are_boxes(const OverlapPair& pair, const PartPool& parts) {
  return parts[pair.first].kind == ShapeKind::kBox && parts[pair.second].kind == ShapeKind::kBox;
}

}  // namespace

struct ExactPairs::Tester {
  const ObjectTable& objects;
  std::span<const BitMask> masks;
  TestMeter& meter;

  /// Whether the two touch; false once the meter is exceeded.
  bool test(const OverlapPair& pair) {
    const Shape a = shape_of(pair.first, objects, masks);
    const Shape b = shape_of(pair.second, objects, masks);
    return meter.take(touch_cost(a, b)) && touch(a, b);
  }
};

/// First those whose bounds parted go, so that whatever is tested again exists; then the new ones come, as
/// these are tested anyway.
void ExactPairs::refine(const ObjectTable& objects, std::span<const BitMask> masks, TestMeter& meter,
                        OverlapChanges& overlaps) {
  Tester tester{objects, masks, meter};
  take_ended(objects.parts(), overlaps.ended);
  const std::size_t standing_count = candidates_.size();
  take_began(tester, overlaps.began);
  test_changed(standing_count, tester, overlaps);
}

/// A pair that did not touch was not reported: its end is no news.
void ExactPairs::take_ended(const PartPool& parts, std::vector<OverlapPair>& ended) {
  std::erase_if(ended, [&](const OverlapPair& pair) { return !are_boxes(pair, parts) && !remove(pair); });
}

void ExactPairs::take_began(Tester& tester, std::vector<OverlapPair>& began) {
  std::erase_if(began, [&](const OverlapPair& pair) {
    if (are_boxes(pair, tester.objects.parts())) return false;
    const bool is_touching = tester.test(pair);
    candidates_.push_back({pair, is_touching});
    positions_.insert(pair, static_cast<std::uint32_t>(candidates_.size() - 1));
    return !is_touching;
  });
}

void ExactPairs::test_changed(std::size_t standing_count, Tester& tester, OverlapChanges& overlaps) {
  for (std::size_t i = 0; i < standing_count && !tester.meter.is_exceeded(); ++i) {
    Candidate& candidate = candidates_[i];
    if (!has_changed(candidate.pair, tester.objects)) continue;
    const bool is_touching = tester.test(candidate.pair);
    if (is_touching == candidate.is_touching) continue;
    candidate.is_touching = is_touching;
    (is_touching ? overlaps.began : overlaps.ended).push_back(candidate.pair);
  }
}

/// Whether it touched.
bool ExactPairs::remove(const OverlapPair& pair) {
  const std::uint32_t position = positions_.find(pair, pair_at());
  SWEEPD_ASSERT(position != positions_.kNone);
  const bool was_touching = candidates_[position].is_touching;
  positions_.erase(pair, pair_at());
  if (position + 1 != candidates_.size()) {
    positions_.reposition(candidates_.back().pair, position, pair_at());
    candidates_[position] = candidates_.back();
  }
  candidates_.pop_back();
  return was_touching;
}

void ExactPairs::clear() { *this = ExactPairs{}; }

void ExactPairs::validate() const {
  SWEEPD_ASSERT(positions_.size() == candidates_.size());
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    SWEEPD_ASSERT(positions_.find(candidates_[i].pair, pair_at()) == i);
  }
}

}  // namespace sweepd::collision
