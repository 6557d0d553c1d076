// SPDX-License-Identifier: MIT
#include "collision/broadphase/layer_parts.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::collision {
namespace {

Box hull(const Box& a, const Box& b) {
  return {std::min(a.min_x, b.min_x), std::min(a.min_y, b.min_y), std::max(a.max_x, b.max_x),
          std::max(a.max_y, b.max_y)};
}

bool leaves_ghost(const TrackedPart& part) { return part.existed && (!part.exists || part.jumped); }

/// The box that stands for an existing part, its ghost aside.
Box shown_box(const TrackedPart& part) {
  const bool moved_on = part.changed && part.existed && !part.jumped;
  return moved_on ? hull(part.was, part.is) : part.is;
}

SortItem sort_item(PartHandle handle, Axis axis, const std::vector<TrackedPart>& parts) {
  return make_sort_item(extent_of(shown_box(parts[handle]), axis).first, handle);
}

SortItem ghost_item(PartHandle handle, Axis axis, const std::vector<TrackedPart>& parts) {
  return make_sort_item(extent_of(parts[handle].was, axis).first, handle | kGhost);
}

}  // namespace

void LayerParts::add(PartHandle handle, std::vector<TrackedPart>& parts) {
  parts[handle].rank = static_cast<std::uint32_t>(members_.size());
  members_.push_back(handle);
  changed_.push_back(handle);
  ++version_;
}

void LayerParts::note_moved(PartHandle handle) {
  changed_.push_back(handle);
  ++version_;
}

void LayerParts::remove(PartHandle handle, std::vector<TrackedPart>& parts) {
  TrackedPart& part = parts[handle];
  SWEEPD_ASSERT(members_[part.rank] == handle);
  members_[part.rank] = members_.back();
  parts[members_.back()].rank = part.rank;
  members_.pop_back();
  if (!part.changed) changed_.push_back(handle);
  ++version_;
}

const LayerParts::Lists& LayerParts::unsorted(const std::vector<TrackedPart>& parts) {
  if (unsorted_.version != version_) {
    fill_unsorted(unsorted_.lists, parts);
    unsorted_.version = version_;
  }
  return unsorted_.lists;
}

const LayerParts::Lists& LayerParts::sorted(Axis axis, const std::vector<TrackedPart>& parts) {
  const auto index = static_cast<std::size_t>(axis);
  if (sorted_[index].version != version_) {
    renew(orders_[index], axis, parts);
    fill_sorted(sorted_[index].lists, orders_[index].items, axis, parts);
    sorted_[index].version = version_;
  }
  return sorted_[index].lists;
}

/// Puts members and ghosts in order.
void LayerParts::renew(Order& order, Axis axis, const std::vector<TrackedPart>& parts) {
  extras_.clear();
  for (const PartHandle handle : changed_) {
    if (leaves_ghost(parts[handle])) extras_.push_back(ghost_item(handle, axis, parts));
    const bool is_new = parts[handle].exists && !parts[handle].existed;
    if (order.valid && is_new) extras_.push_back(sort_item(handle, axis, parts));
  }
  std::vector<SortItem>& items = order.items;
  if (order.valid) {
    std::erase_if(items, [&](SortItem item) { return !parts[tag_of(item)].exists; });
    for (SortItem& item : items) item = sort_item(tag_of(item), axis, parts);
    order.sorter.repair(items);
  } else {
    items.clear();
    for (const PartHandle handle : members_) items.push_back(sort_item(handle, axis, parts));
    order.sorter.sort(items);
  }
  order.sorter.sort(extras_);
  ItemSorter::merge(items, extras_);
  order.valid = true;
  order.renewed = true;
}

/// Leaves no ghosts in `items`.
void LayerParts::fill_sorted(Lists& lists, std::vector<SortItem>& items, Axis axis,
                             const std::vector<TrackedPart>& parts) {
  start(lists);
  std::size_t kept = 0;
  for (const SortItem item : items) {
    const SweepTag tag = tag_of(item);
    const TrackedPart& part = parts[handle_of(tag)];
    if (is_ghost(tag)) {
      lists.changed.append(part.was, axis, tag);
      continue;
    }
    (part.changed ? lists.changed : lists.standing).append(shown_box(part), axis, tag);
    items[kept++] = item;
  }
  items.resize(kept);
  SWEEPD_ASSERT(kept == members_.size());
}

void LayerParts::fill_unsorted(Lists& lists, const std::vector<TrackedPart>& parts) {
  start(lists);
  for (const PartHandle handle : members_) {
    const TrackedPart& part = parts[handle];
    (part.changed ? lists.changed : lists.standing).append(shown_box(part), Axis::kX, handle);
  }
  for (const PartHandle handle : changed_) {
    const TrackedPart& part = parts[handle];
    if (leaves_ghost(part)) lists.changed.append(part.was, Axis::kX, handle | kGhost);
  }
}

void LayerParts::start(Lists& lists) {
  lists.changed.start(2 * changed_.size());
  lists.standing.start(members_.size());
}

void LayerParts::settle(std::vector<TrackedPart>& parts) {
  for (Order& order : orders_) {
    // An order that nobody asked for has missed this update's newcomers.
    order.valid = order.valid && (order.renewed || changed_.empty());
    order.renewed = false;
  }
  if (changed_.empty()) return;
  for (const PartHandle handle : changed_) {
    TrackedPart& part = parts[handle];
    part.was = part.is;
    part.existed = part.exists;
    part.changed = false;
    part.jumped = false;
  }
  changed_.clear();
  ++version_;
}

void LayerParts::validate(const std::vector<TrackedPart>& parts) const {
  SWEEPD_ASSERT(changed_.empty());
  for (std::size_t rank = 0; rank < members_.size(); ++rank) {
    const TrackedPart& part = parts[members_[rank]];
    SWEEPD_ASSERT(part.exists && part.existed && !part.changed && part.rank == rank && part.was == part.is);
  }
  for (const Order& order : orders_) {
    SWEEPD_ASSERT(!order.valid || order.items.size() == members_.size());
    SWEEPD_ASSERT(!order.valid || std::is_sorted(order.items.begin(), order.items.end(),
                                                 [](SortItem a, SortItem b) { return a >> 32 < b >> 32; }));
  }
}

}  // namespace sweepd::collision
