// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "collision/flat_index.h"
#include "collision/object.h"

namespace sweepd::match {

/// Lists of parts, kept by handle until they are released. Most objects are of few kinds: equal lists are
/// kept once. The room of what is released is given again.
class PartStore {
 public:
  /// Names a list of 1 to kPartsMax parts.
  using List = std::uint32_t;

  /// To be released as often as it was added.
  List add(std::span<const collision::Part> parts);
  void release(List list);
  /// Valid until the next `add`.
  std::span<const collision::Part> parts(List list) const {
    return {&parts_[lists_[list].first], lists_[list].count};
  }

  std::size_t bytes() const;

 private:
  struct Row {
    std::uint32_t first = 0;  ///< In `parts_`.
    std::uint32_t count = 0;
    std::uint32_t uses = 0;
  };
  struct Key {
    std::span<const collision::Part> parts;
    friend bool operator==(const Key& a, const Key& b) { return std::ranges::equal(a.parts, b.parts); }
  };
  struct KeyHash {
    std::uint64_t operator()(const Key& key) const;
  };

  auto key_at() const {
    return [this](std::uint32_t list) { return Key{parts(list)}; };
  }
  std::uint32_t take_room(std::size_t count);

  std::vector<collision::Part> parts_;
  std::array<std::vector<std::uint32_t>, collision::kPartsMax + 1> free_;  // By count.
  std::vector<Row> lists_;
  std::vector<List> free_lists_;
  collision::FlatIndex<Key, KeyHash> lists_by_parts_;
};

}  // namespace sweepd::match
