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
#include "sweepd/v1/types.pb.h"
#include "wire/position_table.h"

namespace sweepd::wire {

/// Decodes the frames of one participant's stream, whose relative moves build on the positions it has sent
/// before.
class FrameDecoder {
 public:
  FrameDecoder() = default;
  explicit FrameDecoder(PositionTable positions) : positions_(std::move(positions)) {}

  /// What a frame replaces of a stream's positions while it is decoded. Empty between two frames: one does
  /// for all decoders of a thread, and is there for its memory only.
  class Undo;

  /// The frame; or the field that cannot be understood, and then the positions are as they were before, but a
  /// frame older.
  base::Result<match::Frame, match::FieldError> decode(const v1::Frame& message, Undo& undo);

  /// Of how many objects it has something.
  std::size_t objects() const { return positions_.size(); }

 private:
  using Error = std::optional<match::FieldError>;

  // What sets positions of the stream, too.
  Error decode_positions(match::OfKind<match::FrameChange::kSpawn> kind, const v1::Frame& message,
                         match::Frame& frame, Undo& undo);
  Error decode_positions(match::OfKind<match::FrameChange::kMove> kind, const v1::Frame& message,
                         match::Frame& frame, Undo& undo);
  Error decode_positions(match::OfKind<match::FrameChange::kTeleport> kind, const v1::Frame& message,
                         match::Frame& frame, Undo& undo);
  Error decode_moves(const v1::MoveColumns& columns, match::Frame& frame, Undo& undo);
  Error decode_move(const v1::MoveColumns& columns, int row, std::int64_t id, match::Frame& frame,
                    Undo& undo);
  /// `name`: of the columns. `moves`: where they go.
  Error decode_absolute(const v1::AbsoluteMoveColumns& columns, const std::string& name,
                        std::vector<match::Move>& moves, Undo& undo);
  bool set_position(collision::ObjectId id, collision::Point position, Undo& undo);

  PositionTable positions_;
};

class FrameDecoder::Undo {
 public:
  /// As PositionTable::find_or_add, and notes what that replaces.
  PositionTable::Place place_of(collision::ObjectId id, PositionTable& positions);
  void undo(PositionTable& positions);
  void clear() { replaced_.clear(); }

 private:
  struct Replaced {
    collision::ObjectId id = 0;
    SentPosition position;
    PositionTable::FrameMark set_in = PositionTable::kNoFrame;
  };
  std::vector<Replaced> replaced_;
};

}  // namespace sweepd::wire
