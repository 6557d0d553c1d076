// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/growth.h"
#include "base/hash_secret.h"
#include "collision/object.h"

namespace sweepd::collision {

/// Finds slots of a table by object id, eight bytes a slot. It keeps no ids: the caller passes `id_at`, a
/// functor slot → id. Slots whose ids have equal hashes are a chain. It cannot be walked, so that no order
/// depends on hashes.
class SlotIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  template <typename IdAt>
  std::uint32_t find(ObjectId id, const IdAt& id_at) const {
    if (first_.empty()) return kNone;
    std::uint32_t slot = first_[chain_of(id)];
    while (slot != kNone && id_at(slot) != id) slot = next_[slot];
    return slot;
  }

  /// The id must not be in it, nor the slot.
  template <typename IdAt>
  void insert(ObjectId id, std::uint32_t slot, const IdAt& id_at) {
    if (size_ == first_.size()) grow(id_at);
    if (slot >= next_.size()) base::grow_to(next_, slot + std::size_t{1});
    link(id, slot);
    ++size_;
  }

  /// The id must be in it.
  template <typename IdAt>
  void erase(ObjectId id, const IdAt& id_at) {
    SWEEPD_ASSERT(size_ > 0);
    std::uint32_t* link = &first_[chain_of(id)];
    while (*link != kNone && id_at(*link) != id) link = &next_[*link];
    SWEEPD_ASSERT(*link != kNone);
    *link = next_[*link];
    --size_;
  }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kChainsMin = 16;

  std::size_t chain_of(ObjectId id) const { return base::mix_secretly(id) & (first_.size() - 1); }

  void link(ObjectId id, std::uint32_t slot) {
    std::uint32_t& first = first_[chain_of(id)];
    next_[slot] = std::exchange(first, slot);
  }

  template <typename IdAt>
  void grow(const IdAt& id_at) {
    const std::vector<std::uint32_t> old(std::move(first_));
    first_.assign(std::max(kChainsMin, 2 * old.size()), kNone);
    for (std::uint32_t slot : old) {
      while (slot != kNone) {
        const std::uint32_t next = next_[slot];
        link(id_at(slot), slot);
        slot = next;
      }
    }
  }

  std::vector<std::uint32_t> first_;  // Of each chain; a power of two, or none.
  std::vector<std::uint32_t> next_;   // By slot; as long as any slot needed.
  std::size_t size_ = 0;
};

}  // namespace sweepd::collision
