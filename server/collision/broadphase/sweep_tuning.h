// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace sweepd::collision {

/// Where sweep and prune turns from one way to another. All ways find the same; tests set these so that each
/// is taken on small scenes, too.
struct SweepTuning {
  /// A box to be sorted and searched costs about as much as this many comparisons of a scan.
  std::size_t scan_comparisons_per_box = 100;
  /// To compare those that changed with each other is worth it up to this many comparisons for each box.
  std::size_t changed_comparisons_per_box = 40;
  /// From so many changed boxes on it pays to have the others in order, even if they must be sorted for that.
  std::size_t sort_for_changed = 32;
  /// Standing pairs for each box, from which on it is worth a look whether most boxes moved alike.
  std::int64_t standing_per_box = 4;
  /// How many sorts the window of the cells is kept: what it costs to fit one is spread over these.
  std::uint32_t sorts_per_fit = 32;
};

}  // namespace sweepd::collision
