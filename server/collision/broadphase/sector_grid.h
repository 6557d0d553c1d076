// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collision/broadphase/placed_broadphase.h"
#include "collision/broadphase/sector_grid_settings.h"
#include "collision/broadphase/standing_pairs.h"

namespace sweepd::collision {

/// Files parts in sectors of the plane, anew in each update, and compares those of one sector. Sectors are
/// found by hashing, so the plane may be as wide as it likes. A part too large for the sectors is compared
/// with all others, so that one boss does not ruin the sectors of a thousand bullets.
///
/// Plain sectors and strips: a part is filed wherever it is, and two that share several sectors meet in the
/// one that holds the larger of their min x and the larger of their min y.
///
/// Four shifts (after Tim Moertel, "An Algorithm for Collision Detection", 1994): with sectors of size S and
/// four grids that are shifted by S / 2 in x, in y and in both, a part is filed four times, each time where
/// its (min x, min y) is. Of two that overlap and are no larger than S / 2, the corners are at most S / 2
/// apart on either axis. Along one axis the edges of the two shifts are S / 2 apart, so at most one of these
/// lies between the corners: in the other shift both are in one sector. So one of the four grids has both in
/// one sector; the first such grid tells of the pair.
class SectorGrid final : public PlacedBroadphase {
 public:
  SectorGrid(const CollisionMatrix& matrix, const SectorGridSettings& settings,
             std::size_t pairs_max = kUnbounded);

  bool update(const PartChanges& parts, OverlapChanges& overlaps) override;
  void validate() const override { pairs_.validate(); }

 private:
  struct Sector {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::uint32_t grid = 0;
    friend bool operator==(const Sector&, const Sector&) = default;
  };
  struct Entry {
    Sector sector;
    PartHandle part = 0;
  };

  void choose_size();
  void file(PartHandle part);
  void file_where_it_is(PartHandle part, const Box& box);
  bool is_large(const Box& box) const;
  Sector sector_at(std::int64_t x, std::int64_t y, std::uint32_t grid) const;
  bool is_told_in(const Sector& sector, const Box& a, const Box& b) const;
  void sort_entries();
  void compare_sectors(std::vector<OverlapPair>& found) const;
  void compare_large(std::vector<OverlapPair>& found) const;

  CollisionMatrix matrix_;
  SectorGridSettings settings_;
  std::size_t pairs_max_;
  std::int64_t size_ = 1;  // Of a sector.
  std::uint32_t updates_until_choice_ = 0;
  StandingPairs pairs_;
  std::vector<bool> is_large_;  // By handle.
  std::vector<PartHandle> large_;
  std::vector<Entry> entries_;  // As filed.
  std::vector<Entry> sorted_;   // By bucket.
  std::vector<std::uint32_t> begins_;
  std::vector<std::int64_t> sizes_;
};

}  // namespace sweepd::collision
