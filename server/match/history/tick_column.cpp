// SPDX-License-Identifier: MIT
#include "match/history/tick_column.h"

#include <algorithm>

namespace sweepd::match {
namespace {

bool is_sorted(const std::vector<TickColumn::Entry>& entries) {
  return std::ranges::is_sorted(entries, {}, &TickColumn::Entry::life);
}

}  // namespace

void TickColumn::assign(std::vector<Entry>& entries, std::size_t life_count) {
  const std::size_t groups_size = (life_count + kLivesPerGroup - 1) / kLivesPerGroup * kGroupWords;
  if (entries.size() <= groups_size) {
    resize(entries.size(), entries.size());
    assign_numbers(entries);
  } else {
    resize(entries.size(), groups_size);
    assign_bits(entries);
  }
}

/// As large as needed and little more: most ticks need what the tick before did, and there are many ticks.
void TickColumn::resize(std::size_t count, std::size_t index_size) {
  const std::size_t size = index_size + 2 * count;
  const std::size_t room = size + size / 32;
  if (capacity_ < size || capacity_ > room + room / 4) {
    block_ = size == 0 ? nullptr : std::make_unique_for_overwrite<std::uint32_t[]>(room);
    capacity_ = size == 0 ? 0 : static_cast<std::uint32_t>(room);
  }
  count_ = static_cast<std::uint32_t>(count);
  index_size_ = static_cast<std::uint32_t>(index_size);
}

void TickColumn::assign_numbers(std::vector<Entry>& entries) {
  if (!is_sorted(entries)) std::ranges::sort(entries, {}, &Entry::life);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    index()[i] = entries[i].life;
    set_value(i, entries[i].value);
  }
}

void TickColumn::assign_bits(const std::vector<Entry>& entries) {
  std::ranges::fill(index(), 0);
  for (const Entry& entry : entries) index()[word_of(entry.life)] |= std::uint32_t{1} << entry.life % 32;
  std::uint32_t before = 0;
  for (std::size_t group = 0; group * kGroupWords < index_size_; ++group) {
    index()[group * kGroupWords + 2] = before;
    before += static_cast<std::uint32_t>(std::popcount(bits_of(group)));
  }
  if (is_sorted(entries)) {  // Mostly: frames tend to name objects in the order in which they came.
    for (std::size_t i = 0; i < entries.size(); ++i) set_value(i, entries[i].value);
  } else {
    for (const Entry& entry : entries) set_value(rank_of(entry.life), entry.value);
  }
}

std::optional<collision::Point> TickColumn::find_by_bit(LifetimeIndex life) const {
  const std::size_t word = word_of(life);
  if (word >= index_size_ || (index()[word] >> life % 32 & 1) == 0) return std::nullopt;
  return value(rank_of(life));
}

std::optional<collision::Point> TickColumn::find_by_number(LifetimeIndex life) const {
  const auto at = std::ranges::lower_bound(index(), life);
  if (at == index().end() || *at != life) return std::nullopt;
  return value(static_cast<std::size_t>(at - index().begin()));
}

}  // namespace sweepd::match
