// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "collision/object.h"

namespace sweepd::rpc {

/// The last position that a stream has sent for each of its objects. Asked for every move of every frame: one
/// flat array, open addressing, linear probing.
class PositionTable {
 public:
  /// Objects that one stream may have positions for. `set` refuses a further one.
  static constexpr std::size_t kPositionsMax = std::size_t{1} << 20;

  explicit PositionTable(std::size_t positions_max = kPositionsMax) : positions_max_(positions_max) {}

  std::optional<collision::Point> find(collision::ObjectId id) const;
  /// False: the table is full.
  bool set(collision::ObjectId id, collision::Point position);
  void erase(collision::ObjectId id);
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    collision::ObjectId id = 0;
    bool is_used = false;
    collision::Point position;
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
