// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collision/geometry.h"

namespace sweepd::match {

/// Where the history keeps a life: the time of an object from its spawn to its despawn.
using LifetimeIndex = std::uint32_t;

/// The points that some lives got in one tick, small and quick to write: with each goes either its life's
/// number, or, where that is smaller, all together have one bit for every life and a count for every 64. It
/// all lies in one block.
class TickColumn {
 public:
  struct Entry {
    LifetimeIndex life;
    collision::Point value;
  };

  /// Replaces everything. Each life comes once, in any order; `entries` is used up. `life_count`: above all
  /// of them.
  void assign(std::vector<Entry>& entries, std::size_t life_count);

  std::optional<collision::Point> find(LifetimeIndex life) const {
    if (count_ == 0) return std::nullopt;
    return has_numbers() ? find_by_number(life) : find_by_bit(life);
  }

  /// Calls visit(life, value) for all, by life.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    if (has_numbers()) {
      for (std::size_t i = 0; i < count_; ++i) visit(index()[i], value(i));
      return;
    }
    std::size_t i = 0;
    for (std::size_t group = 0; group * kGroupWords < index_size_; ++group) {
      for (std::uint64_t bits = bits_of(group); bits != 0; bits &= bits - 1) {
        visit(static_cast<LifetimeIndex>(group * kLivesPerGroup + std::countr_zero(bits)), value(i++));
      }
    }
  }

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return capacity_ * sizeof(std::uint32_t); }

 private:
  static constexpr std::size_t kLivesPerGroup = 64;
  static constexpr std::size_t kGroupWords = 3;  // Low bits, high bits, how many bits all groups before have.

  bool has_numbers() const { return index_size_ == count_; }
  std::span<const std::uint32_t> index() const { return {block_.get(), index_size_}; }
  std::span<std::uint32_t> index() { return {block_.get(), index_size_}; }
  collision::Point value(std::size_t i) const {
    const std::uint32_t* words = block_.get() + index_size_ + 2 * i;
    return {static_cast<collision::Subunits>(words[0]), static_cast<collision::Subunits>(words[1])};
  }
  void set_value(std::size_t i, collision::Point value) {
    std::uint32_t* words = block_.get() + index_size_ + 2 * i;
    words[0] = static_cast<std::uint32_t>(value.x);
    words[1] = static_cast<std::uint32_t>(value.y);
  }
  std::uint64_t bits_of(std::size_t group) const {
    return index()[group * kGroupWords] | std::uint64_t{index()[group * kGroupWords + 1]} << 32;
  }

  void resize(std::size_t count, std::size_t index_size);
  void assign_numbers(std::vector<Entry>& entries);
  void assign_bits(const std::vector<Entry>& entries);
  std::optional<collision::Point> find_by_bit(LifetimeIndex life) const;
  std::optional<collision::Point> find_by_number(LifetimeIndex life) const;

  static std::size_t word_of(LifetimeIndex life) {
    return life / kLivesPerGroup * kGroupWords + life % kLivesPerGroup / 32;
  }
  std::size_t rank_of(LifetimeIndex life) const {
    const std::size_t group = life / kLivesPerGroup;
    const std::uint64_t lower = (std::uint64_t{1} << life % kLivesPerGroup) - 1;
    return index()[group * kGroupWords + 2] + static_cast<std::size_t>(std::popcount(bits_of(group) & lower));
  }

  std::unique_ptr<std::uint32_t[]> block_;  // The index, then two words for every value, by life.
  std::uint32_t capacity_ = 0;              // Words.
  std::uint32_t count_ = 0;                 // Values.
  std::uint32_t index_size_ = 0;            // As many as values: the numbers of their lives. Else the groups.
};

}  // namespace sweepd::match
