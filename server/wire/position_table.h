// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/object.h"
#include "collision/slot_index.h"

namespace sweepd::wire {

/// Where a stream has last said that an object is, and by how far it went there; see MoveColumns.
struct SentPosition {
  collision::Point position;
  collision::Point last_step;
  friend bool operator==(const SentPosition&, const SentPosition&) = default;
};

/// What a stream has last sent for each of its objects. Asked for every move of every frame: they lie side by
/// side as they came, which mostly is how they move, too; so after one its neighbour is looked at first.
///
/// What the stream has not placed for kFramesMax frames counts as never placed, whatever became of the
/// object: so the table has what few frames can hold, however many objects expire, leave the playfield or are
/// hit. Each frame goes through a part of it and clears what is too old.
class PositionTable {
 public:
  /// Objects that one stream may have positions for. A further one is refused.
  static constexpr std::size_t kPositionsMax = std::size_t{1} << 20;

  /// A position that was set in a frame is there in that frame and in so many after it: see MoveColumns.
  static constexpr std::uint32_t kFramesMax = 64;

  explicit PositionTable(std::size_t positions_max = kPositionsMax) : positions_max_(positions_max) {}

  /// What is set from now on is of the next frame of the stream.
  void begin_frame();

  /// Null: there is none. Valid until the table changes.
  const SentPosition* find(collision::ObjectId id) const;

  /// Names a frame, for `restore`.
  using FrameMark = std::uint32_t;
  static constexpr FrameMark kNoFrame = 0;

  struct Place {
    SentPosition* position = nullptr;  ///< Null: the table is full. Valid until the table changes.
    FrameMark set_in = kNoFrame;       ///< The frame that had set it. kNoFrame: it is new.
  };
  /// The id's, which counts as set in this frame now; if it has none, a new one of zeros.
  Place find_or_add(collision::ObjectId id);

  /// Undoes `find_or_add`: the position that the id had, and since when. kNoFrame: it had none.
  void restore(collision::ObjectId id, const SentPosition& position, FrameMark set_in);

  void erase(collision::ObjectId id);

  /// Those that are too old and not cleared yet included: no more than the last 2 * kFramesMax frames have
  /// set.
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    collision::ObjectId id = 0;
    FrameMark set_in = kNoFrame;
    SentPosition position;
  };

  static constexpr std::uint32_t kNone = collision::SlotIndex::kNone;

  auto id_at() const {
    return [this](std::uint32_t place) { return entries_[place].id; };
  }
  /// Null: there is none. May be too old.
  Entry* entry_of(collision::ObjectId id);
  bool is_too_old(const Entry& entry) const { return (frame_ - entry.set_in) / 2 > kFramesMax; }
  void erase_at(std::size_t place);
  void clear_some();

  std::size_t positions_max_;
  std::vector<Entry> entries_;
  collision::SlotIndex places_;  ///< In entries_.
  std::size_t guess_ = 0;        ///< Where the next one is looked for first: after the one before.
  FrameMark frame_ = 1;          ///< Odd, so never kNoFrame, and right in differences when it begins anew.
  std::size_t next_to_clear_ = 0;
};

}  // namespace sweepd::wire
