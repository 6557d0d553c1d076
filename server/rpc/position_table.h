// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "collision/object.h"

namespace sweepd::rpc {

/// Where a stream has last said that an object is, and by how far it went there; see MoveColumns.
struct SentPosition {
  collision::Point position;
  collision::Point last_step;
  friend bool operator==(const SentPosition&, const SentPosition&) = default;
};

/// What a stream has last sent for each of its objects. Asked for every move of every frame: one flat array,
/// open addressing, linear probing.
class PositionTable {
 public:
  /// Objects that one stream may have positions for. `set` refuses a further one.
  static constexpr std::size_t kPositionsMax = std::size_t{1} << 20;

  explicit PositionTable(std::size_t positions_max = kPositionsMax) : positions_max_(positions_max) {}

  /// Null: there is none. Valid until the table changes.
  const SentPosition* find(collision::ObjectId id) const;

  struct Place {
    SentPosition* position = nullptr;  ///< Null: the table is full. Valid until the table changes.
    bool is_new = false;
  };
  /// The id's; if it has none, a new one of zeros.
  Place find_or_add(collision::ObjectId id);

  /// False: the table is full.
  bool set(collision::ObjectId id, const SentPosition& position);
  void erase(collision::ObjectId id);
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    collision::ObjectId id = 0;
    bool is_used = false;
    SentPosition position;
  };

  /// Where the id is, or the free slot where it belongs.
  std::size_t slot_of(collision::ObjectId id) const;
  std::size_t home_of(collision::ObjectId id) const;
  void grow();

  std::size_t positions_max_;
  std::size_t size_ = 0;
  std::vector<Slot> slots_;  ///< A power of two of them, at most half of them used.
};

}  // namespace sweepd::rpc
