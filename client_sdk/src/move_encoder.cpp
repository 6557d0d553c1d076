// SPDX-License-Identifier: MIT
#include "move_encoder.h"

#include <limits>

namespace sweepd::internal {
namespace {

bool fits_column(std::int64_t difference) {
  return difference >= std::numeric_limits<std::int32_t>::min() &&
         difference <= std::numeric_limits<std::int32_t>::max();
}

/// Whether the server may remove it without being asked to.
bool ends_by_itself(const v1::Spawn& spawn) {
  return spawn.time_to_live_ticks() != 0 || spawn.despawn_outside_playfield() || spawn.single_use() ||
         spawn.hit_points() != 0;
}

}  // namespace

void MoveEncoder::encode(v1::Frame* frame) {
  given_.Clear();
  if (frame->has_absolute_moves()) given_.Swap(frame->mutable_absolute_moves());
  frame->clear_absolute_moves();
  // In the order in which the server goes through the frame.
  set_spawn_bases(*frame);
  id_before_ = 0;
  for (int i = 0; i < given_.object_id_size(); ++i) {
    write_move(given_.object_id(i), {given_.x(i), given_.y(i)}, frame);
  }
  const v1::AbsoluteMoveColumns& teleports = frame->teleports();
  for (int i = 0; i < teleports.object_id_size(); ++i) {
    bases_[teleports.object_id(i)] = {teleports.x(i), teleports.y(i)};
  }
  for (const ObjectId id : frame->despawns()) bases_.erase(id);
}

void MoveEncoder::set_spawn_bases(const v1::Frame& frame) {
  for (const v1::Spawn& spawn : frame.spawns()) {
    if (ends_by_itself(spawn)) {
      bases_.erase(spawn.object_id());
    } else {
      bases_[spawn.object_id()] = {spawn.x(), spawn.y()};
    }
  }
}

void MoveEncoder::write_move(ObjectId id, Point to, v1::Frame* frame) {
  const auto base = bases_.find(id);
  const std::int64_t dx = base == bases_.end() ? 0 : std::int64_t{to.x} - base->second.x;
  const std::int64_t dy = base == bases_.end() ? 0 : std::int64_t{to.y} - base->second.y;
  if (base == bases_.end() || !fits_column(dx) || !fits_column(dy)) {
    v1::AbsoluteMoveColumns* rows = frame->mutable_absolute_moves();
    rows->add_object_id(id);
    rows->add_x(to.x);
    rows->add_y(to.y);
  } else {
    v1::MoveColumns* rows = frame->mutable_moves();
    rows->add_id_delta(std::int64_t{id} - id_before_);
    rows->add_dx(static_cast<std::int32_t>(dx));
    rows->add_dy(static_cast<std::int32_t>(dy));
    id_before_ = id;
  }
  bases_[id] = to;
}

}  // namespace sweepd::internal
