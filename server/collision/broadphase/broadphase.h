// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/enum_values.h"
#include "collision/broadphase/sector_grid_settings.h"
#include "collision/geometry.h"
#include "collision/layers.h"

namespace sweepd::collision {

/// Names a part in a broadphase. Handles are small numbers: implementations may index arrays with them.
using PartHandle = std::uint32_t;
inline constexpr PartHandle kNoHandle = ~PartHandle{0};

/// Two parts of different objects; first < second.
struct OverlapPair {
  PartHandle first = 0;
  PartHandle second = 0;
  friend auto operator<=>(const OverlapPair&, const OverlapPair&) = default;
};

/// What has happened to parts since the update before.
/// - A part is named at most once in all three lists.
/// - The handle of a removed part must not be added again before the next update.
/// - A part's layer and object never change: for that, remove the part and add another.
/// - No box is inverted, nor does one span the whole range of coordinates on both axes.
struct PartChanges {
  struct Added {
    PartHandle part = 0;
    std::uint32_t object = 0;  ///< Parts of one object never meet. Any number; equal numbers, one object.
    LayerId layer = 0;
    Box box;
  };
  struct Moved {
    PartHandle part = 0;
    Box box;  ///< Anywhere, of any size: nothing is assumed about the way there.
  };

  std::vector<Added> added;
  std::vector<Moved> moved;
  std::vector<PartHandle> removed;

  void clear() {
    added.clear();
    moved.clear();
    removed.clear();
  }
};

/// How the overlaps of one `update` differ from those of the update before. Each pair at most once and in one
/// list only; in no particular order.
struct OverlapChanges {
  std::vector<OverlapPair> began;
  std::vector<OverlapPair> ended;
};

/// A part that overlaps one of several regions.
struct RegionHit {
  std::uint32_t region = 0;  ///< Its index.
  PartHandle part = 0;
  friend auto operator<=>(const RegionHit&, const RegionHit&) = default;
};

/// No limit on what is found.
inline constexpr std::size_t kUnbounded = ~std::size_t{0};

/// Finds which parts overlap. Once a tick it is told what changed, and answers with what came of it: pairs
/// that stand as they stood cost nothing.
///
/// Contract, the same for every implementation: two parts are a pair if the matrix allows their layers, their
/// objects differ and their boxes overlap (closed). A removed part's pairs end.
class Broadphase {
 public:
  virtual ~Broadphase() = default;

  /// Replaces the contents of `overlaps`. False: more than BroadphaseConfig::pairs_max pairs overlap now.
  /// Then it stopped as soon as that was certain, having kept no more than a few times as many; `overlaps` is
  /// unspecified, and the broadphase can only be destroyed.
  virtual bool update(const PartChanges& parts, OverlapChanges& overlaps) = 0;

  /// The part's box as of the last update, in which it must have been.
  virtual Box box_of(PartHandle part) const = 0;

  /// Appends every part on one of `layers` (bit i: layer i) whose box overlaps `region`, as of the last
  /// update; each once, in no particular order.
  virtual void find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const = 0;

  /// Appends, for each of many regions at once, every part on `layer` whose box overlaps it, as of the last
  /// update; each pair once, in no particular order. Stops soon after `found` has more than `found_max`:
  /// which ones it then has is unspecified.
  virtual void find_each(std::span<const Box> regions, LayerId layer, std::vector<RegionHit>& found,
                         std::size_t found_max = kUnbounded) const = 0;

  /// Walks everything and asserts the invariants. For debug builds.
  virtual void validate() const = 0;
};

enum class BroadphaseKind : std::uint8_t { kSweepAndPrune, kBruteForce, kSectorGrid, kApproach };

inline constexpr auto kBroadphaseKinds = base::values_from<BroadphaseKind::kSweepAndPrune>();

/// In the words of options and pages: sweep_and_prune.
const char* name_of(BroadphaseKind kind);

struct BroadphaseConfig {
  BroadphaseKind kind = BroadphaseKind::kSweepAndPrune;
  CollisionMatrix matrix;
  SectorGridSettings sector_grid = {};
  std::size_t pairs_max = kUnbounded;  ///< See Broadphase::update.
};

std::unique_ptr<Broadphase> make_broadphase(const BroadphaseConfig& config);

}  // namespace sweepd::collision
