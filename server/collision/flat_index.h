// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"

namespace sweepd::collision {

/// Maps keys to positions in a dense array. `Hash` is a stateless functor: Key → uint64, well mixed.
/// It cannot be walked: whatever needs an order keeps its own, so that none depends on hashes.
/// Open addressing with linear probing, at most half full; erasing shifts back, so there are no tombstones.
template <typename Key, typename Hash>
class FlatIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t find(const Key& key) const {
    if (cells_.empty()) return kNone;
    return cells_[cell_of(key)].position;
  }

  void insert(const Key& key, std::uint32_t position) {
    SWEEPD_ASSERT(position != kNone);
    if ((size_ + 1) * 2 > cells_.size()) grow();
    Cell& cell = cells_[cell_of(key)];
    SWEEPD_ASSERT(cell.position == kNone);
    cell = {key, position};
    ++size_;
  }

  void reposition(const Key& key, std::uint32_t position) {
    SWEEPD_ASSERT(position != kNone && size_ > 0);
    Cell& cell = cells_[cell_of(key)];
    SWEEPD_ASSERT(cell.position != kNone);
    cell.position = position;
  }

  void erase(const Key& key) {
    SWEEPD_ASSERT(size_ > 0);
    std::size_t hole = cell_of(key);
    SWEEPD_ASSERT(cells_[hole].position != kNone);
    for (std::size_t next = following(hole); cells_[next].position != kNone; next = following(next)) {
      const std::size_t home = Hash{}(cells_[next].key) & mask();
      // The entry may fill the hole only if its probe sequence passes there.
      if (((next - home) & mask()) >= ((next - hole) & mask())) {
        cells_[hole] = cells_[next];
        hole = next;
      }
    }
    cells_[hole].position = kNone;
    --size_;
  }

  void clear() {
    cells_.clear();
    size_ = 0;
  }

  std::size_t size() const { return size_; }

 private:
  struct Cell {
    Key key{};
    std::uint32_t position = kNone;
  };

  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t following(std::size_t cell) const { return (cell + 1) & mask(); }

  /// The cell of `key`, or the free one where it would go.
  std::size_t cell_of(const Key& key) const {
    std::size_t cell = Hash{}(key)&mask();
    while (cells_[cell].position != kNone && !(cells_[cell].key == key)) cell = following(cell);
    return cell;
  }

  void grow() {
    std::vector<Cell> old(cells_.empty() ? 16 : cells_.size() * 2);
    old.swap(cells_);
    for (const Cell& cell : old) {
      if (cell.position != kNone) cells_[cell_of(cell.key)] = cell;
    }
  }

  std::vector<Cell> cells_;  // A power of two, or none.
  std::size_t size_ = 0;
};

}  // namespace sweepd::collision
