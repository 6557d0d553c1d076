// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>

#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

/// Writes a stream's moves as columns of differences against what the stream last sent for each object. It
/// does so when a frame goes out, not when it is made: a frame that waits may go out on another stream than
/// it was made for.
///
/// Invariant: `bases_` holds an object only if the server is sure to have the same base for it. What is not
/// in there goes out as an absolute row, which is right in any case and begins a base; so bases of objects
/// that the server removes by itself need not be kept for ever.
class MoveEncoder {
 public:
  /// A new stream: nothing has been sent on it.
  void reset() { bases_.clear(); }

  /// Takes a frame with its moves in absolute columns, by id: those that can be become relative.
  void encode(v1::Frame* frame);

 private:
  struct Point {
    std::int32_t x = 0;
    std::int32_t y = 0;
  };

  void set_spawn_bases(const v1::Frame& frame);
  void write_move(ObjectId id, Point to, v1::Frame* frame);

  std::unordered_map<ObjectId, Point> bases_;
  v1::AbsoluteMoveColumns given_;  ///< Of the last frame.
  ObjectId id_before_ = 0;         ///< In the relative columns.
};

}  // namespace sweepd::internal
