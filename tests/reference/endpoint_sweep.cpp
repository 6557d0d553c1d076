// SPDX-License-Identifier: MIT
#include "reference/endpoint_sweep.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::reference {
namespace {

using collision::OverlapChanges;
using collision::OverlapPair;
using collision::PartChanges;
using collision::PartHandle;

std::uint64_t key_of(PartHandle a, PartHandle b) {
  return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
}

OverlapPair pair_of(std::uint64_t key) {
  return {static_cast<PartHandle>(key >> 32), static_cast<PartHandle>(key)};
}

}  // namespace

bool EndpointSweep::is_pair(const Placed& a, const Placed& b) const {
  return a.object != b.object && matrix_.allows(a.layer, b.layer) && overlap(a.box, b.box);
}

void EndpointSweep::begin_if_overlapping(PartHandle a, PartHandle b, OverlapChanges& overlaps) {
  // The first of the two axes may find them apart on the other one; then the other one's swap finds them.
  if (!is_pair(parts_[a], parts_[b])) return;
  if (const std::uint64_t key = key_of(a, b); pairs_.insert(key).second) {
    overlaps.began.push_back(pair_of(key));
  }
}

void EndpointSweep::end_if_pair(PartHandle a, PartHandle b, OverlapChanges& overlaps) {
  if (const std::uint64_t key = key_of(a, b); pairs_.erase(key) != 0) overlaps.ended.push_back(pair_of(key));
}

void EndpointSweep::remove(const std::vector<PartHandle>& removed, OverlapChanges& overlaps) {
  if (removed.empty()) return;
  for (const PartHandle part : removed) {
    SWEEPD_ASSERT(part < parts_.size() && parts_[part].present);
    parts_[part].present = false;
  }
  for (Axis& axis : axes_) {
    std::erase_if(axis, [this](const Endpoint& end) { return !parts_[end.part].present; });
  }
  std::erase_if(pairs_, [&](std::uint64_t key) {
    const OverlapPair pair = pair_of(key);
    if (parts_[pair.first].present && parts_[pair.second].present) return false;
    overlaps.ended.push_back(pair);
    return true;
  });
}

void EndpointSweep::add(const std::vector<PartChanges::Added>& added) {
  for (const auto& [part, object, layer, box] : added) {
    if (part >= parts_.size()) parts_.resize(std::size_t{part} + 1);
    SWEEPD_ASSERT(!parts_[part].present);
    parts_[part] = {box, object, layer, true};
    for (Axis& axis : axes_) {
      axis.push_back({0, part, false});
      axis.push_back({0, part, true});
    }
  }
}

void EndpointSweep::take_in_values() {
  for (Endpoint& end : axes_[0]) {
    const collision::Box& box = parts_[end.part].box;
    end.value = end.is_high ? box.max_x : box.min_x;
  }
  for (Endpoint& end : axes_[1]) {
    const collision::Box& box = parts_[end.part].box;
    end.value = end.is_high ? box.max_y : box.min_y;
  }
}

void EndpointSweep::sort_by_swaps(Axis& axis, OverlapChanges& overlaps) {
  for (std::size_t i = 1; i < axis.size(); ++i) {
    const Endpoint end = axis[i];
    std::size_t place = i;
    for (; place > 0 && end.is_before(axis[place - 1]); --place) {
      const Endpoint& other = axis[place - 1];
      if (other.is_high && !end.is_high) begin_if_overlapping(end.part, other.part, overlaps);
      if (end.is_high && !other.is_high) end_if_pair(end.part, other.part, overlaps);
      axis[place] = other;
    }
    axis[place] = end;
  }
}

/// Everything is new: swapping it into place one by one would cost the square of their number.
void EndpointSweep::sort_and_sweep(OverlapChanges& overlaps) {
  for (Axis& axis : axes_) {
    std::sort(axis.begin(), axis.end(), [](const Endpoint& a, const Endpoint& b) { return a.is_before(b); });
  }
  std::vector<PartHandle> open;
  for (const Endpoint& end : axes_[0]) {
    if (end.is_high) {
      open.erase(std::find(open.begin(), open.end(), end.part));
      continue;
    }
    for (const PartHandle other : open) begin_if_overlapping(end.part, other, overlaps);
    open.push_back(end.part);
  }
}

bool EndpointSweep::update(const PartChanges& parts, OverlapChanges& overlaps) {
  overlaps.began.clear();
  overlaps.ended.clear();
  remove(parts.removed, overlaps);
  for (const auto& [part, box] : parts.moved) {
    SWEEPD_ASSERT(part < parts_.size() && parts_[part].present);
    parts_[part].box = box;
  }
  const bool was_empty = axes_[0].empty();
  add(parts.added);
  take_in_values();
  if (was_empty) {
    sort_and_sweep(overlaps);
  } else {
    for (Axis& axis : axes_) sort_by_swaps(axis, overlaps);
  }
  return true;
}

void EndpointSweep::find(const collision::Box& region, std::uint64_t layers,
                         std::vector<PartHandle>& found) const {
  for (PartHandle part = 0; part < parts_.size(); ++part) {
    const Placed& placed = parts_[part];
    if (placed.present && (layers >> placed.layer & 1) != 0 && overlap(placed.box, region)) {
      found.push_back(part);
    }
  }
}

void EndpointSweep::find_each(std::span<const collision::Box> regions, collision::LayerId layer,
                              std::vector<collision::RegionHit>& found, std::size_t /*found_max*/) const {
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    std::vector<PartHandle> parts;
    find(regions[i], std::uint64_t{1} << layer, parts);
    for (const PartHandle part : parts) found.push_back({i, part});
  }
}

void EndpointSweep::validate() const {
  for (const Axis& axis : axes_) {
    SWEEPD_ASSERT(std::is_sorted(axis.begin(), axis.end(),
                                 [](const Endpoint& a, const Endpoint& b) { return a.is_before(b); }));
  }
  for (const std::uint64_t key : pairs_) {
    const OverlapPair pair = pair_of(key);
    SWEEPD_ASSERT(is_pair(parts_[pair.first], parts_[pair.second]));
  }
}

}  // namespace sweepd::reference
