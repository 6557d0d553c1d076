// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/hash_secret.h"
#include "collision/flat_index.h"
#include "collision/object.h"

namespace sweepd::collision {

/// Finds positions by object id, a few bytes an id. Ids that follow each other mostly come, are looked for
/// and go together: each sixteen of them share a page, which is one line of the cache.
class IdIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t find(ObjectId id) const {
    const auto number_at = [this](std::uint32_t page) { return pages_[page].number; };
    const std::uint32_t page = pages_by_number_.find(id >> kPageBits, number_at);
    return page == kNone ? kNone : pages_[page].positions[id & (kPageSize - 1)];
  }

  /// The id must not be in it.
  void insert(ObjectId id, std::uint32_t position);
  /// The id must be in it.
  void erase(ObjectId id);
  void clear() { *this = IdIndex{}; }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kPageBits = 4;
  static constexpr std::uint32_t kPageSize = 1u << kPageBits;

  struct Page {
    std::array<std::uint32_t, kPageSize> positions;
    std::uint32_t number;
    std::uint32_t used;
  };
  struct NumberHash {
    std::uint64_t operator()(std::uint32_t number) const { return base::mix_secretly(number); }
  };

  auto number_at() const {
    return [this](std::uint32_t page) { return pages_[page].number; };
  }
  std::uint32_t add_page(std::uint32_t number);

  std::vector<Page> pages_;
  std::vector<std::uint32_t> free_pages_;
  FlatIndex<std::uint32_t, NumberHash> pages_by_number_;
  std::size_t size_ = 0;
};

}  // namespace sweepd::collision
