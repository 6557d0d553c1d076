// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash_secret.h"
#include "collision/flat_index.h"
#include "collision/object.h"

namespace sweepd::collision {

/// What only few objects have, by id: kept apart from the objects, most of which have none.
template <typename Value>
class SideTable {
 public:
  /// The object must have none yet.
  void add(ObjectId id, const Value& value) {
    rows_.push_back({id, value});
    positions_.insert(id, static_cast<std::uint32_t>(rows_.size() - 1));
  }

  /// Null: it has none.
  Value* find(ObjectId id) {
    const std::uint32_t position = positions_.find(id, id_at());
    return position == positions_.kNone ? nullptr : &rows_[position].value;
  }
  const Value* find(ObjectId id) const { return const_cast<SideTable*>(this)->find(id); }

  /// The object must have one.
  void erase(ObjectId id) {
    const std::uint32_t position = positions_.find(id, id_at());
    positions_.erase(id, id_at());
    if (position + 1 != rows_.size()) {
      positions_.reposition(rows_.back().id, position, id_at());
      rows_[position] = rows_.back();
    }
    rows_.pop_back();
  }

  void clear() {
    rows_.clear();
    positions_.clear();
  }
  std::size_t size() const { return rows_.size(); }

 private:
  struct Row {
    ObjectId id;
    Value value;
  };
  struct IdHash {
    std::uint64_t operator()(ObjectId id) const { return base::mix_secretly(id); }
  };

  auto id_at() const {
    return [this](std::uint32_t position) { return rows_[position].id; };
  }

  std::vector<Row> rows_;  // In no order: for look-ups only.
  FlatIndex<ObjectId, IdHash> positions_;
};

}  // namespace sweepd::collision
