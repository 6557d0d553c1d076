// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"

namespace sweepd::collision {

/// Finds positions in a dense array by key. It keeps no keys: the caller passes `key_at`, a functor position
/// → key. `Hash` is a stateless functor: Key → uint64, well mixed. It cannot be walked: whatever needs an
/// order keeps its own, so that none depends on hashes. Open addressing with linear probing, at most 13/16
/// full; 32 bits of the hash beside each position spare nearly all looks at keys of others, and let entries
/// move without a look at their keys. Erasing shifts back, so there are no tombstones.
template <typename Key, typename Hash>
class FlatIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  template <typename KeyAt>
  std::uint32_t find(const Key& key, const KeyAt& key_at) const {
    return cells_.empty() ? kNone : cells_[cell_of(key, key_at)].position;
  }

  /// The key must not be in it.
  void insert(const Key& key, std::uint32_t position) {
    SWEEPD_ASSERT(position != kNone);
    if ((size_ + 1) * 16 > cells_.size() * 13) grow();
    const std::uint32_t hash = hash_of(key);
    cells_[free_cell(hash)] = {hash, position};
    ++size_;
  }

  /// The key is that at another position from now on; `key_at` knows it there, or still at the old one.
  template <typename KeyAt>
  void reposition(const Key& key, std::uint32_t position, const KeyAt& key_at) {
    Cell& cell = cells_[cell_of(key, key_at)];
    SWEEPD_ASSERT(!cell.is_free() && position != kNone);
    cell.position = position;
  }

  template <typename KeyAt>
  void erase(const Key& key, const KeyAt& key_at) {
    SWEEPD_ASSERT(size_ > 0);
    std::size_t hole = cell_of(key, key_at);
    SWEEPD_ASSERT(!cells_[hole].is_free());
    for (std::size_t next = following(hole); !cells_[next].is_free(); next = following(next)) {
      const std::size_t home = cells_[next].hash & mask();
      // The entry may fill the hole only if its probe sequence passes there.
      if (((next - home) & mask()) >= ((next - hole) & mask())) {
        cells_[hole] = cells_[next];
        hole = next;
      }
    }
    cells_[hole] = {};
    --size_;
  }

  void clear() {
    cells_.clear();
    size_ = 0;
  }

  std::size_t size() const { return size_; }

 private:
  struct Cell {
    std::uint32_t hash = 0;
    std::uint32_t position = kNone;
    bool is_free() const { return position == kNone; }
  };

  static std::uint32_t hash_of(const Key& key) { return static_cast<std::uint32_t>(Hash{}(key)); }
  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t following(std::size_t cell) const { return (cell + 1) & mask(); }

  /// The cell of `key`, or the free one where it would go.
  template <typename KeyAt>
  std::size_t cell_of(const Key& key, const KeyAt& key_at) const {
    const std::uint32_t hash = hash_of(key);
    std::size_t at = hash & mask();
    while (!cells_[at].is_free()) {
      if (cells_[at].hash == hash && key_at(cells_[at].position) == key) break;
      at = following(at);
    }
    return at;
  }

  std::size_t free_cell(std::uint32_t hash) const {
    std::size_t at = hash & mask();
    while (!cells_[at].is_free()) at = following(at);
    return at;
  }

  void grow() {
    std::vector<Cell> old(cells_.empty() ? 16 : cells_.size() * 2);
    old.swap(cells_);
    for (const Cell& cell : old) {
      if (!cell.is_free()) cells_[free_cell(cell.hash)] = cell;
    }
  }

  std::vector<Cell> cells_;  // A power of two, or none.
  std::size_t size_ = 0;
};

}  // namespace sweepd::collision
