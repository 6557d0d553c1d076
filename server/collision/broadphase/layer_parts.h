// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "collision/broadphase/item_sorter.h"
#include "collision/broadphase/sweep_list.h"
#include "collision/broadphase/tracked_part.h"

namespace sweepd::collision {

/// A layer's parts, in two lists: those that changed since the last update, and those that stand. Two that
/// stand can neither have met nor parted, so the lists of two layers are compared but for standing with
/// standing.
///
/// An entry's box is the area around where the part was and where it is: whatever it met or left overlaps
/// that area. A part that jumped has an entry for each of its two places instead; one that is gone has only
/// the ghost of the first; one that is new, only the second.
class LayerParts {
 public:
  struct Lists {
    SweepList changed;
    SweepList standing;
  };

  // `parts` are the broadphase's own, by handle; changes are told after they were made there.

  void add(PartHandle handle, std::vector<TrackedPart>& parts);
  void note_moved(PartHandle handle);
  void remove(PartHandle handle, std::vector<TrackedPart>& parts);

  bool has_changed() const { return !changed_.empty(); }
  const std::vector<PartHandle>& members() const { return members_; }
  std::size_t changed_count() const { return changed_.size(); }
  /// Never less than there are parts, those that are gone included.
  std::size_t entry_count() const { return members_.size() + changed_.size(); }

  /// In no particular order; along x.
  const Lists& unsorted(const std::vector<TrackedPart>& parts);
  /// Sorted along `axis`. The order is kept from update to update for as long as it is asked for in each.
  const Lists& sorted(Axis axis, const std::vector<TrackedPart>& parts);

  /// Ends an update: what changed now stands.
  void settle(std::vector<TrackedPart>& parts);
  void validate(const std::vector<TrackedPart>& parts) const;

 private:
  struct Order {
    std::vector<SortItem> items;  // While valid: all members, in the order of when they were last asked for.
    bool valid = false;
    bool renewed = false;  // In this update.
    ItemSorter sorter;
  };

  struct CachedLists {
    Lists lists;
    std::uint64_t version = 0;  // Of the layer, when they were made.
  };

  void renew(Order& order, Axis axis, const std::vector<TrackedPart>& parts);
  void fill_sorted(Lists& lists, std::vector<SortItem>& items, Axis axis,
                   const std::vector<TrackedPart>& parts);
  void fill_unsorted(Lists& lists, const std::vector<TrackedPart>& parts);
  void start(Lists& lists);

  std::uint64_t version_ = 1;  // Counts changes, so that lists made before one are known to be outdated.
  std::vector<PartHandle> members_;
  std::vector<PartHandle> changed_;
  std::array<Order, 2> orders_;        // By axis.
  std::array<CachedLists, 2> sorted_;  // By axis.
  CachedLists unsorted_;
  std::vector<SortItem> extras_;  // Kept for its memory only.
};

}  // namespace sweepd::collision
