// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "collision/broadphase/broadphase.h"

namespace sweepd::bench {

/// A hash table of the pairs that stand, for whoever finds all of them anew every tick: tells which are new
/// and which are gone. Records lie densely, so that looking for those that are gone is one straight walk.
/// Invariant: every record is in the chain of its bucket.
class PairHistory {
 public:
  PairHistory() : buckets_(kBucketsMin, kNone) {}

  void begin_tick(collision::OverlapChanges& overlaps) {
    overlaps.began.clear();
    overlaps.ended.clear();
    overlaps_ = &overlaps;
    ++tick_;
  }

  /// The two overlap. In either order, as often as you like.
  void found(collision::PartHandle a, collision::PartHandle b) {
    if (b < a) std::swap(a, b);
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    for (std::uint32_t i = buckets_[bucket_of(key)]; i != kNone; i = records_[i].next) {
      if (records_[i].key != key) continue;
      records_[i].seen = tick_;
      return;
    }
    insert(key);
  }

  void end_tick();

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kBucketsMin = 64;

  struct Record {
    std::uint64_t key = 0;
    std::uint32_t seen = 0;
    std::uint32_t next = kNone;
  };

  std::size_t bucket_of(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> 32) & (buckets_.size() - 1);
  }
  std::uint32_t& link_to(std::uint32_t index);
  void insert(std::uint64_t key);
  void remove(std::uint32_t index);
  void grow();

  std::vector<Record> records_;
  std::vector<std::uint32_t> buckets_;  // As many as a power of two.
  collision::OverlapChanges* overlaps_ = nullptr;
  std::uint32_t tick_ = 0;
};

}  // namespace sweepd::bench
