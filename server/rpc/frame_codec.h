// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "match/config.h"
#include "match/frame.h"
#include "rpc/position_table.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

/// Decodes the frames of one participant's stream, whose relative moves build on the positions it has sent
/// before.
class FrameDecoder {
 public:
  FrameDecoder() = default;
  explicit FrameDecoder(PositionTable positions) : positions_(std::move(positions)) {}

  /// The frame; or the field that cannot be understood, and then the positions are as they were before, but a
  /// frame older.
  base::Result<match::Frame, match::FieldError> decode(const v1::Frame& message);

  /// Of how many objects it has something.
  std::size_t objects() const { return positions_.size(); }

 private:
  using Error = std::optional<match::FieldError>;

  Error decode_spawns(const v1::Frame& message, match::Frame& frame);
  Error decode_moves(const v1::MoveColumns& columns, match::Frame& frame);
  Error decode_move(const v1::MoveColumns& columns, int row, std::int64_t id, match::Frame& frame);
  /// `name`: of the columns. `moves`: where they go.
  Error decode_absolute(const v1::AbsoluteMoveColumns& columns, const std::string& name,
                        std::vector<match::Move>& moves);
  void decode_despawns(const v1::Frame& message, match::Frame& frame);
  /// Notes what it replaces.
  PositionTable::Place place_of(collision::ObjectId id);
  bool set_position(collision::ObjectId id, collision::Point position);
  void undo_positions();

  struct Replaced {
    collision::ObjectId id = 0;
    SentPosition position;
    PositionTable::FrameMark set_in = PositionTable::kNoFrame;
  };

  PositionTable positions_;
  std::vector<Replaced> replaced_;  ///< What the frame has replaced so far.
};

}  // namespace sweepd::rpc
