// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

/// Writes a stream's moves as columns of differences against what the stream last sent for each object, or
/// against where that would have gone on to, whichever is shorter for the frame. It does so when a frame goes
/// out, not when it is made: a frame that waits may go out on another stream than it was made for.
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

  struct Base {
    Point position;
    Point last_step;  ///< As the contract has it (MoveColumns).
  };
  struct RelativeMove {
    ObjectId id = 0;
    Point by;
    Point against_course;
    bool has_course = false;  ///< It fits a column.
  };

  void set_spawn_bases(const v1::Frame& frame);
  void encode_move(ObjectId id, Point to, v1::Frame* frame);
  void write_relative_moves(v1::MoveColumns* columns);

  std::unordered_map<ObjectId, Base> bases_;
  std::vector<RelativeMove> relative_;  ///< Of the frame in progress.
  v1::AbsoluteMoveColumns given_;       ///< Of the last frame.
};

}  // namespace sweepd::internal
