// SPDX-License-Identifier: MIT
#include "collision/broadphase/item_sorter.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace sweepd::collision {
namespace {

constexpr std::size_t kShiftsPerItem =
    8;  // About where insertion gets dearer than the passes of the radix sort.
constexpr std::uint32_t kRests = 15;
constexpr std::size_t kRadixItemsMin = 256;
constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

/// False if it gave up; the items are all there, but not in order.
bool insertion_sort(std::vector<SortItem>& items, std::size_t shifts_max) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    const SortItem item = items[i];
    std::size_t place = i;
    for (; place > 0 && items[place - 1] > item; --place) items[place] = items[place - 1];
    items[place] = item;
    if (i - place > shifts_max) return false;
    shifts_max -= i - place;
  }
  return true;
}

/// By start, not by tag: from the lowest of the upper 32 bits on.
void radix_sort(std::vector<SortItem>& items, std::vector<SortItem>& buffer) {
  buffer.resize(items.size());
  for (int shift = 32; shift < 64; shift += kDigitBits) {
    std::array<std::uint32_t, kDigits> places{};
    for (const SortItem item : items) ++places[item >> shift & (kDigits - 1)];
    if (places[items.front() >> shift & (kDigits - 1)] == items.size()) continue;
    std::uint32_t place = 0;
    for (std::uint32_t& count : places) {
      const std::uint32_t next = place + count;
      count = place;
      place = next;
    }
    for (const SortItem item : items) buffer[places[item >> shift & (kDigits - 1)]++] = item;
    items.swap(buffer);
  }
}

}  // namespace

void ItemSorter::repair(std::vector<SortItem>& items) {
  if (rests_ > 0) {
    --rests_;
  } else if (insertion_sort(items, items.size() * kShiftsPerItem)) {
    return;
  } else {
    rests_ = kRests;
  }
  sort(items);
}

void ItemSorter::sort(std::vector<SortItem>& items) {
  if (items.size() < kRadixItemsMin) {
    std::sort(items.begin(), items.end());
  } else {
    radix_sort(items, buffer_);
  }
}

void ItemSorter::merge(std::vector<SortItem>& items, const std::vector<SortItem>& more) {
  // From the back, so that nothing is overwritten before it has moved.
  std::size_t old_left = items.size();
  std::size_t more_left = more.size();
  items.resize(old_left + more_left);
  while (more_left > 0) {
    const bool take_old = old_left > 0 && items[old_left - 1] > more[more_left - 1];
    SortItem& place = items[old_left + more_left - 1];
    place = take_old ? items[--old_left] : more[--more_left];
  }
}

}  // namespace sweepd::collision
