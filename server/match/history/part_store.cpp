// SPDX-License-Identifier: MIT
#include "match/history/part_store.h"

#include <type_traits>

#include "base/assert.h"
#include "base/growth.h"
#include "base/hash_secret.h"

namespace sweepd::match {

std::uint64_t PartStore::KeyHash::operator()(const Key& key) const {
  static_assert(std::has_unique_object_representations_v<collision::Part>);
  const std::span<const std::byte> bytes = std::as_bytes(key.parts);
  return base::hash_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, base::mix_secretly(0));
}

PartStore::List PartStore::add(std::span<const collision::Part> parts) {
  SWEEPD_ASSERT(!parts.empty() && parts.size() <= collision::kPartsMax);
  const List known = lists_by_parts_.find({parts}, key_at());
  if (known != lists_by_parts_.kNone) {
    ++lists_[known].uses;
    return known;
  }
  if (free_lists_.empty()) {
    free_lists_.push_back(static_cast<List>(lists_.size()));
    base::append_tightly(lists_);
  }
  const List list = free_lists_.back();
  free_lists_.pop_back();
  lists_[list] = {take_room(parts.size()), static_cast<std::uint32_t>(parts.size()), 1};
  std::ranges::copy(parts, parts_.begin() + lists_[list].first);
  lists_by_parts_.insert({parts}, list);
  return list;
}

std::uint32_t PartStore::take_room(std::size_t count) {
  std::vector<std::uint32_t>& free = free_[count];
  if (free.empty()) {
    const auto first = static_cast<std::uint32_t>(parts_.size());
    base::grow_to(parts_, parts_.size() + count);
    return first;
  }
  const std::uint32_t first = free.back();
  free.pop_back();
  return first;
}

void PartStore::release(List list) {
  Row& row = lists_[list];
  SWEEPD_ASSERT(row.uses > 0);
  if (--row.uses > 0) return;
  lists_by_parts_.erase({parts(list)}, key_at());
  free_[row.count].push_back(row.first);
  free_lists_.push_back(list);
}

std::size_t PartStore::bytes() const {
  return parts_.capacity() * sizeof(collision::Part) + lists_.capacity() * sizeof(Row);
}

}  // namespace sweepd::match
