// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"

namespace sweepd::collision {

/// Finds positions in a dense array by key. It keeps no keys: whoever calls passes `key_at`, a functor
/// position → key, so that an entry costs four bytes. `Hash` is a stateless functor: Key → uint64, well
/// mixed. It cannot be walked: whatever needs an order keeps its own, so that none depends on hashes. Open
/// addressing with linear probing, at most 13/16 full; six bits of the hash beside each position spare most
/// looks at keys of others. Erasing shifts back, so there are no tombstones.
template <typename Key, typename Hash>
class FlatIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kPositionBits = 26;
  static constexpr std::uint32_t kPositionsMax = (1u << kPositionBits) - 1;

  template <typename KeyAt>
  std::uint32_t find(const Key& key, const KeyAt& key_at) const {
    if (cells_.empty()) return kNone;
    const std::uint32_t cell = cells_[cell_of(key, key_at)];
    return cell == kNone ? kNone : position_in(cell);
  }

  /// The key must not be in it.
  template <typename KeyAt>
  void insert(const Key& key, std::uint32_t position, const KeyAt& key_at) {
    SWEEPD_ASSERT(position < kPositionsMax);
    if ((size_ + 1) * 16 > cells_.size() * 13) grow(key_at);
    cells_[free_cell(Hash{}(key))] = make_cell(Hash{}(key), position);
    ++size_;
  }

  /// The key is that at another position from now on; `key_at` knows it there, or still at the old one.
  template <typename KeyAt>
  void reposition(const Key& key, std::uint32_t position, const KeyAt& key_at) {
    std::uint32_t& cell = cells_[cell_of(key, key_at)];
    SWEEPD_ASSERT(cell != kNone && position < kPositionsMax);
    cell = make_cell(Hash{}(key), position);
  }

  template <typename KeyAt>
  void erase(const Key& key, const KeyAt& key_at) {
    SWEEPD_ASSERT(size_ > 0);
    std::size_t hole = cell_of(key, key_at);
    SWEEPD_ASSERT(cells_[hole] != kNone);
    for (std::size_t next = following(hole); cells_[next] != kNone; next = following(next)) {
      const std::size_t home = Hash{}(key_at(position_in(cells_[next]))) & mask();
      // The entry may fill the hole only if its probe sequence passes there.
      if (((next - home) & mask()) >= ((next - hole) & mask())) {
        cells_[hole] = cells_[next];
        hole = next;
      }
    }
    cells_[hole] = kNone;
    --size_;
  }

  void clear() {
    cells_.clear();
    size_ = 0;
  }

  std::size_t size() const { return size_; }

 private:
  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t following(std::size_t cell) const { return (cell + 1) & mask(); }

  static std::uint32_t position_in(std::uint32_t cell) { return cell & kPositionsMax; }
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 58); }
  static std::uint32_t make_cell(std::uint64_t hash, std::uint32_t position) {
    return tag_of(hash) << kPositionBits | position;
  }

  /// The cell of `key`, or the free one where it would go.
  template <typename KeyAt>
  std::size_t cell_of(const Key& key, const KeyAt& key_at) const {
    const std::uint64_t hash = Hash{}(key);
    const std::uint32_t tag = tag_of(hash);
    std::size_t at = hash & mask();
    while (cells_[at] != kNone) {
      if (cells_[at] >> kPositionBits == tag && key_at(position_in(cells_[at])) == key) break;
      at = following(at);
    }
    return at;
  }

  std::size_t free_cell(std::uint64_t hash) const {
    std::size_t at = hash & mask();
    while (cells_[at] != kNone) at = following(at);
    return at;
  }

  template <typename KeyAt>
  void grow(const KeyAt& key_at) {
    std::vector<std::uint32_t> old(cells_.empty() ? 16 : cells_.size() * 2, kNone);
    old.swap(cells_);
    for (const std::uint32_t cell : old) {
      if (cell == kNone) continue;
      const std::uint64_t hash = Hash{}(key_at(position_in(cell)));
      cells_[free_cell(hash)] = cell;
    }
  }

  std::vector<std::uint32_t> cells_;  // A power of two, or none.
  std::size_t size_ = 0;
};

}  // namespace sweepd::collision
