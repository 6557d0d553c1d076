// SPDX-License-Identifier: MIT
#include "collision/change_sort.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace sweepd::collision {
namespace {

// Fewer are sorted faster by comparing.
constexpr std::size_t kCountedMin = 256;

constexpr std::uint32_t kDigitBits = 11;
constexpr std::uint32_t kDigits = 1u << kDigitBits;

/// Keeps the order of those whose digits are equal.
template <typename Id>
void sort_by_digit(const std::vector<EncounterChange>& from, std::vector<EncounterChange>& to, Id id,
                   std::uint32_t shift) {
  const auto digit_of = [&](const EncounterChange& change) { return (id(change) >> shift) & (kDigits - 1); };
  std::array<std::uint32_t, kDigits> places{};
  for (const EncounterChange& change : from) ++places[digit_of(change)];
  std::uint32_t begin = 0;
  for (std::uint32_t& place : places) begin += std::exchange(place, begin);
  for (const EncounterChange& change : from) to[places[digit_of(change)]++] = change;
}

template <typename Id>
void sort_by_id(std::vector<EncounterChange>& changes, std::vector<EncounterChange>& spare, Id id) {
  ObjectId largest = 0;
  for (const EncounterChange& change : changes) largest = std::max(largest, id(change));
  for (std::uint32_t shift = 0; shift < 32 && largest >> shift != 0; shift += kDigitBits) {
    sort_by_digit(changes, spare, id, shift);
    changes.swap(spare);
  }
}

/// Those of one pair of objects: few.
void sort_within_pairs(std::vector<EncounterChange>& changes) {
  for (auto begin = changes.begin(); begin != changes.end();) {
    const auto end = std::find_if(begin, changes.end(), [&](const EncounterChange& change) {
      return change.key.object_a != begin->key.object_a || change.key.object_b != begin->key.object_b;
    });
    if (end - begin > 1) std::sort(begin, end);
    begin = end;
  }
}

}  // namespace

void sort_changes(std::vector<EncounterChange>& changes, std::vector<EncounterChange>& spare) {
  if (changes.size() < kCountedMin) return std::sort(changes.begin(), changes.end());
  spare.resize(changes.size());
  sort_by_id(changes, spare, [](const EncounterChange& change) { return change.key.object_b; });
  sort_by_id(changes, spare, [](const EncounterChange& change) { return change.key.object_a; });
  sort_within_pairs(changes);
}

}  // namespace sweepd::collision
