// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "sweepd/types.h"

namespace sweepd::internal {

/// The session's block of object ids, and which of them are taken.
///
/// What the server removes by itself (time to live, playfield, used up, destroyed, cleared) does not come
/// back here. So the ids of such objects count as free once their frame is sent, and only the order keeps
/// them apart: ids are handed out from the first to the last of the block before the first is handed out
/// again.
class ObjectIds {
 public:
  ObjectIds() = default;  ///< An empty block.
  /// Empty, too, where `last` is before `first`. It begins `skip` ids after the first, around the block.
  ObjectIds(ObjectId first, ObjectId last, std::size_t skip = 0);

  bool contains(ObjectId id) const { return id != 0 && id >= first_ && id <= last_; }
  bool empty() const { return first_ == 0; }
  ObjectId first() const { return first_; }
  ObjectId last() const { return last_; }

  /// Spawned and not yet despawned in a frame that was sent, or used in the frame in progress.
  bool in_use(ObjectId id) const { return held_.contains(id) || in_progress_.contains(id); }

  /// The next free id, or 0 if there is none. It stays free until `spawned`.
  ObjectId next_free();

  /// `ends_by_itself`: the server may remove the object without this session's doing.
  void spawned(ObjectId id, bool ends_by_itself);
  void despawned(ObjectId id);
  /// The server may have removed any of them without this session's naming it.
  void any_may_be_gone() { held_.clear(); }
  /// It has another owner now.
  void given_away(ObjectId id) { held_.erase(id); }
  /// The server refused the spawn.
  void refused(ObjectId id) { held_.erase(id); }
  /// The frame in progress is sent.
  void frame_sent();

 private:
  ObjectId after(ObjectId id) const { return id == last_ ? first_ : id + 1; }

  ObjectId first_ = 0;
  ObjectId last_ = 0;
  ObjectId next_ = 0;
  std::unordered_set<ObjectId> held_;         ///< Until this session despawns them.
  std::unordered_set<ObjectId> in_progress_;  ///< Spawned or despawned in the frame in progress.
  std::vector<ObjectId> despawned_;           ///< In the frame in progress.
};

}  // namespace sweepd::internal
