// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace sweepd::match {

/// Where the history keeps a life: the time of an object from its spawn to its despawn.
using LifeIndex = std::uint32_t;

/// The values that some lives got in one tick, small and quick to write: with each value goes either its
/// life's number, or, where that is smaller, all together have one bit for every life and a count for
/// every 64.
template <typename Value>
class TickColumn {
 public:
  struct Entry {
    LifeIndex life;
    Value value;
  };

  /// Replaces everything. Each life comes once, in any order; `entries` is used up. `life_count`: above all
  /// of them.
  void assign(std::vector<Entry>& entries, std::size_t life_count) {
    const std::size_t index_size = (life_count + kLivesPerGroup - 1) / kLivesPerGroup * kGroupWords;
    resize(values_, entries.size());
    if (entries.size() <= index_size) {
      assign_numbers(entries);
    } else {
      assign_bits(entries, index_size);
    }
  }

  const Value* find(LifeIndex life) const {
    if (values_.empty()) return nullptr;
    return has_numbers() ? find_by_number(life) : find_by_bit(life);
  }

  /// Calls visit(life, value) for all, by life.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    if (has_numbers()) {
      for (std::size_t i = 0; i < values_.size(); ++i) visit(index_[i], values_[i]);
      return;
    }
    std::size_t i = 0;
    for (std::size_t group = 0; group * kGroupWords < index_.size(); ++group) {
      for (std::uint64_t bits = bits_of(group); bits != 0; bits &= bits - 1) {
        visit(static_cast<LifeIndex>(group * kLivesPerGroup + std::countr_zero(bits)), values_[i++]);
      }
    }
  }

  bool empty() const { return values_.empty(); }
  std::size_t size() const { return values_.size(); }
  std::size_t bytes() const {
    return index_.capacity() * sizeof(std::uint32_t) + values_.capacity() * sizeof(Value);
  }

 private:
  static constexpr std::size_t kLivesPerGroup = 64;
  static constexpr std::size_t kGroupWords = 3;  // Low bits, high bits, how many bits all groups before have.

  bool has_numbers() const { return index_.size() == values_.size(); }
  std::uint64_t bits_of(std::size_t group) const {
    return index_[group * kGroupWords] | std::uint64_t{index_[group * kGroupWords + 1]} << 32;
  }

  /// As large as needed and little more: most ticks need what the tick before did, and there are many ticks.
  template <typename T>
  static void resize(std::vector<T>& vector, std::size_t size) {
    const std::size_t room = size + size / 32;
    if (vector.capacity() < size || vector.capacity() > room + room / 4) {
      vector = std::vector<T>();
      if (size > 0) vector.reserve(room);
    }
    vector.resize(size);
  }

  static bool is_sorted(const std::vector<Entry>& entries) {
    return std::ranges::is_sorted(entries, {}, &Entry::life);
  }

  void assign_numbers(std::vector<Entry>& entries) {
    if (!is_sorted(entries)) std::ranges::sort(entries, {}, &Entry::life);
    resize(index_, entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      index_[i] = entries[i].life;
      values_[i] = entries[i].value;
    }
  }

  void assign_bits(const std::vector<Entry>& entries, std::size_t index_size) {
    resize(index_, index_size);
    std::ranges::fill(index_, 0);
    for (const Entry& entry : entries) index_[word_of(entry.life)] |= std::uint32_t{1} << entry.life % 32;
    std::uint32_t before = 0;
    for (std::size_t group = 0; group * kGroupWords < index_size; ++group) {
      index_[group * kGroupWords + 2] = before;
      before += static_cast<std::uint32_t>(std::popcount(bits_of(group)));
    }
    if (is_sorted(entries)) {  // Mostly: frames tend to name objects in the order in which they came.
      for (std::size_t i = 0; i < entries.size(); ++i) values_[i] = entries[i].value;
    } else {
      for (const Entry& entry : entries) values_[rank_of(entry.life)] = entry.value;
    }
  }

  static std::size_t word_of(LifeIndex life) {
    return life / kLivesPerGroup * kGroupWords + life % kLivesPerGroup / 32;
  }
  std::size_t rank_of(LifeIndex life) const {
    const std::size_t group = life / kLivesPerGroup;
    const std::uint64_t lower = (std::uint64_t{1} << life % kLivesPerGroup) - 1;
    return index_[group * kGroupWords + 2] + static_cast<std::size_t>(std::popcount(bits_of(group) & lower));
  }

  const Value* find_by_bit(LifeIndex life) const {
    const std::size_t word = word_of(life);
    if (word >= index_.size() || (index_[word] >> life % 32 & 1) == 0) return nullptr;
    return &values_[rank_of(life)];
  }

  const Value* find_by_number(LifeIndex life) const {
    const auto at = std::ranges::lower_bound(index_, life);
    if (at == index_.end() || *at != life) return nullptr;
    return &values_[static_cast<std::size_t>(at - index_.begin())];
  }

  std::vector<std::uint32_t> index_;  // As many as values: the numbers of their lives. Else the groups.
  std::vector<Value> values_;         // By life.
};

}  // namespace sweepd::match
