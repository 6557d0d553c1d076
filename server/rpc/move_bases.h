// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <unordered_map>

#include "match/frame.h"

namespace sweepd::rpc {

/// The last position that a stream sent for each object, whatever became of it: what relative moves are counted from. An
/// object of which the stream sent none, or whose despawn it sent, has (0, 0).
class MoveBases {
 public:
  /// A stream that names more objects than this without despawning them is refused further ones: memory is bounded.
  static constexpr std::size_t kObjectsMax = 1u << 20;

  collision::Point base_of(match::ObjectId object) const {
    const auto found = positions_.find(object);
    return found == positions_.end() ? collision::Point{} : found->second;
  }
  bool has_room_for(std::size_t objects) const { return positions_.size() + objects <= kObjectsMax; }

  /// Takes over what a frame sent, in the frame's order.
  void take(const match::Frame& frame) {
    for (const auto& spawn : frame.spawns) positions_[spawn.id] = spawn.position;
    for (const auto& move : frame.moves) positions_[move.object] = move.position;
    for (const match::ObjectId object : frame.despawns) positions_.erase(object);
  }

 private:
  std::unordered_map<match::ObjectId, collision::Point> positions_;
};

}  // namespace sweepd::rpc
