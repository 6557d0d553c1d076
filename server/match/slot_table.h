// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/growth.h"
#include "collision/part_pool.h"

namespace sweepd::match {

using collision::ObjectSlot;

/// What only some objects have, by the world's slot. Told of what goes: a slot is another object's later.
template <typename Value>
class SlotTable {
 public:
  /// Null: it has none. Until the next that is set or erased.
  const Value* find(ObjectSlot slot) const {
    const std::uint32_t position = position_of(slot);
    return position == kNone ? nullptr : &rows_[position].value;
  }

  /// Replaces the one it has, if any.
  void set(ObjectSlot slot, const Value& value) {
    if (const std::uint32_t position = position_of(slot); position != kNone) {
      rows_[position].value = value;
      return;
    }
    if (slot >= positions_.size()) base::grow_to(positions_, slot + std::size_t{1}, kNone);
    positions_[slot] = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back({slot, value});
  }

  /// If it has one.
  void erase(ObjectSlot slot) {
    const std::uint32_t position = position_of(slot);
    if (position == kNone) return;
    rows_[position] = rows_.back();
    positions_[rows_.back().slot] = position;
    positions_[slot] = kNone;
    rows_.pop_back();
  }

  std::size_t size() const { return rows_.size(); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Row {
    ObjectSlot slot;
    Value value;
  };

  std::uint32_t position_of(ObjectSlot slot) const {
    return slot < positions_.size() ? positions_[slot] : kNone;
  }

  std::vector<std::uint32_t> positions_;  // By slot, as long as any slot needed.
  std::vector<Row> rows_;                 // In no order: for look-ups only.
};

}  // namespace sweepd::match
