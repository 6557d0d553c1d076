// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "base/hash_secret.h"
#include "collision/broadphase/broadphase.h"
#include "collision/flat_index.h"
#include "collision/object_table.h"
#include "collision/shapes/bit_mask.h"
#include "collision/tick_budget.h"

namespace sweepd::collision {

/// Turns overlaps of bounds into contacts of shapes. Of two boxes the bounds are the shapes, and pass
/// through; every other pair is kept while its bounds overlap, and tested again in each tick in which one of
/// the two changed.
class ExactPairs {
 public:
  /// Replaces, in `overlaps`, beginnings and endings of overlapping bounds by those of contacts. What
  /// `objects` notes as changed has changed. Once the meter is exceeded, nothing more is tested, and what
  /// there is can only be cleared.
  void refine(const ObjectTable& objects, std::span<const BitMask> masks, TestMeter& meter,
              OverlapChanges& overlaps);

  std::size_t size() const { return candidates_.size(); }
  void clear();
  void validate() const;

 private:
  struct Candidate {
    OverlapPair pair;
    bool is_touching;
  };
  struct PairHash {
    std::uint64_t operator()(const OverlapPair& pair) const {
      return base::mix_secretly(std::uint64_t{pair.first} << 32 | pair.second);
    }
  };

  auto pair_at() const {
    return [this](std::uint32_t position) -> const OverlapPair& { return candidates_[position].pair; };
  }
  void take_ended(const PartPool& parts, std::vector<OverlapPair>& ended);
  struct Tester;
  void take_began(Tester& tester, std::vector<OverlapPair>& began);
  void test_changed(std::size_t standing_count, Tester& tester, OverlapChanges& overlaps);
  bool remove(const OverlapPair& pair);

  std::vector<Candidate> candidates_;
  FlatIndex<OverlapPair, PairHash> positions_;
};

}  // namespace sweepd::collision
