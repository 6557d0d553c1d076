// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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
/// What has no base here goes out as an absolute row, which is right in any case and begins a base. The
/// server forgets the base of what has not been placed for kFramesMax frames, and so does this: what becomes
/// of objects, which the stream does not see, has no part in it.
class MoveEncoder {
 public:
  /// A base holds for the frame that set it and so many after it: see MoveColumns.
  static constexpr std::uint64_t kFramesMax = 64;

  /// A new stream: nothing has been sent on it.
  void reset() { bases_.clear(); }

  /// Takes a frame with its moves in absolute columns, by id: those that can be become relative. Every frame
  /// of the stream has to come by here, and in the order in which they go out.
  void encode(v1::Frame* frame);

  /// How many objects it has something of: no more than the last 2 * kFramesMax frames have placed.
  std::size_t size() const { return bases_.size(); }

 private:
  struct Point {
    std::int32_t x = 0;
    std::int32_t y = 0;
  };

  struct Base {
    Point position;
    Point last_step;           ///< As the contract has it (MoveColumns).
    std::uint64_t set_in = 0;  ///< The frame.
  };
  struct RelativeMove {
    ObjectId id = 0;
    Point by;
    Point against_course;
    bool has_course = false;  ///< It fits a column.
  };

  void begin_frame();
  void encode_move(ObjectId id, Point to, v1::Frame* frame);
  void write_relative_moves(v1::MoveColumns* columns);

  std::unordered_map<ObjectId, Base> bases_;
  std::uint64_t frame_ = 0;             ///< Frames so far.
  std::vector<RelativeMove> relative_;  ///< Of the frame in progress.
  v1::AbsoluteMoveColumns given_;       ///< Of the last frame.
};

}  // namespace sweepd::internal
