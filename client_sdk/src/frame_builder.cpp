// SPDX-License-Identifier: MIT
#include "frame_builder.h"

#include <algorithm>
#include <limits>

#include "outcome_codec.h"
#include "subunits.h"

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

Checked FrameBuilder::spawn(ObjectId id, const ObjectSpec& spec) {
  v1::Spawn* spawn = frame_.add_spawns();
  if (auto error = encode(spec, limits_, spawn)) {
    frame_.mutable_spawns()->RemoveLast();
    return error;
  }
  spawn->set_object_id(id);
  return {};
}

Checked FrameBuilder::reshape(ObjectId id, const std::vector<Part>& parts) {
  v1::Reshape* reshape = frame_.add_reshapes();
  if (auto error = encode(parts, limits_, reshape->mutable_parts())) {
    frame_.mutable_reshapes()->RemoveLast();
    return error;
  }
  reshape->set_object_id(id);
  return {};
}

Checked FrameBuilder::change_layer(ObjectId id, std::uint32_t layer, std::optional<std::uint32_t> part) {
  if (auto error = check_layer(layer, limits_.layer_count)) return error;
  v1::LayerChange* change = frame_.add_layer_changes();
  change->set_object_id(id);
  change->set_layer(layer);
  if (part) change->set_part(*part);
  return {};
}

Checked FrameBuilder::move(ObjectId id, Vec2 position) {
  Point to;
  if (auto error = to_subunits(position.x, "position.x", &to.x)) return error;
  if (auto error = to_subunits(position.y, "position.y", &to.y)) return error;
  const auto [row, is_first] = move_rows_.try_emplace(id, moves_.size());
  if (is_first) {
    moves_.push_back({id, to});
  } else {
    moves_[row->second].to = to;
  }
  return {};
}

Checked FrameBuilder::teleport(ObjectId id, Vec2 position) {
  Point to;
  if (auto error = to_subunits(position.x, "position.x", &to.x)) return error;
  if (auto error = to_subunits(position.y, "position.y", &to.y)) return error;
  teleports_.push_back({id, to});
  return {};
}

Checked FrameBuilder::add_selection(const Selection& selection,
                                    google::protobuf::RepeatedPtrField<v1::Selection>* list) {
  if (auto error = encode(selection, limits_.layer_count, list->Add())) {
    list->RemoveLast();
    return std::move(*error).within("selection");
  }
  return {};
}

Checked FrameBuilder::freeze(const Selection& selection) {
  return add_selection(selection, frame_.mutable_freezes());
}

Checked FrameBuilder::release(const Selection& selection) {
  return add_selection(selection, frame_.mutable_releases());
}

Checked FrameBuilder::despawn_all(const Selection& selection) {
  return add_selection(selection, frame_.mutable_mass_despawns());
}

Checked FrameBuilder::scroll_to(Vec2 origin) {
  Point to;
  if (auto error = to_subunits(origin.x, "origin.x", &to.x)) return error;
  if (auto error = to_subunits(origin.y, "origin.y", &to.y)) return error;
  frame_.mutable_scroll()->set_x(to.x);
  frame_.mutable_scroll()->set_y(to.y);
  return {};
}

void FrameBuilder::transfer(const std::vector<ObjectId>& objects, ParticipantNumber to, bool with_stage) {
  v1::Transfer* transfer = frame_.add_transfers();
  transfer->mutable_object_ids()->Add(objects.begin(), objects.end());
  transfer->set_to_participant(to);
  transfer->set_with_stage(with_stage);
}

Checked FrameBuilder::set_motion(ObjectId id, const Motion& motion) {
  v1::MotionChange* change = frame_.add_motions();
  if (auto error = encode(motion, change->mutable_motion())) {
    frame_.mutable_motions()->RemoveLast();
    return error;
  }
  change->set_object_id(id);
  return {};
}

void FrameBuilder::disable(ObjectId id, Tick until_tick) {
  v1::Disable* disable = frame_.add_disables();
  disable->set_object_id(id);
  disable->set_until_tick(until_tick);
}

void FrameBuilder::enable(ObjectId id) { frame_.add_enables(id); }

void FrameBuilder::despawn(ObjectId id) { frame_.add_despawns(id); }

void FrameBuilder::finish(Tick tick, Tick acknowledged_tick, v1::Frame* out) {
  frame_.set_tick(tick);
  frame_.set_acknowledged_tick(acknowledged_tick);
  // In the order in which the server goes through the frame.
  set_spawn_bases();
  write_moves();
  write_teleports();
  for (ObjectId id : frame_.despawns()) bases_.erase(id);
  frame_.Swap(out);
  frame_.Clear();
}

void FrameBuilder::set_spawn_bases() {
  for (const v1::Spawn& spawn : frame_.spawns()) {
    if (ends_by_itself(spawn)) {
      bases_.erase(spawn.object_id());
    } else {
      bases_[spawn.object_id()] = {spawn.x(), spawn.y()};
    }
  }
}

void FrameBuilder::write_teleports() {
  for (const Move& teleport : teleports_) {
    frame_.mutable_teleports()->add_object_id(teleport.id);
    frame_.mutable_teleports()->add_x(teleport.to.x);
    frame_.mutable_teleports()->add_y(teleport.to.y);
    bases_[teleport.id] = teleport.to;
  }
  teleports_.clear();
}

void FrameBuilder::write_moves() {
  // Neighbours in id order make small differences, and small differences are single bytes.
  std::sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) { return a.id < b.id; });
  ObjectId id_before = 0;
  for (const Move& move : moves_) write_move(move, &id_before);
  moves_.clear();
  move_rows_.clear();
}

void FrameBuilder::write_move(const Move& move, ObjectId* id_before) {
  const auto base = bases_.find(move.id);
  const std::int64_t dx = base == bases_.end() ? 0 : std::int64_t{move.to.x} - base->second.x;
  const std::int64_t dy = base == bases_.end() ? 0 : std::int64_t{move.to.y} - base->second.y;
  if (base == bases_.end() || !fits_column(dx) || !fits_column(dy)) {
    v1::AbsoluteMoveColumns* rows = frame_.mutable_absolute_moves();
    rows->add_object_id(move.id);
    rows->add_x(move.to.x);
    rows->add_y(move.to.y);
  } else {
    v1::MoveColumns* rows = frame_.mutable_moves();
    rows->add_id_delta(std::int64_t{move.id} - *id_before);
    rows->add_dx(static_cast<std::int32_t>(dx));
    rows->add_dy(static_cast<std::int32_t>(dy));
    *id_before = move.id;
  }
  bases_[move.id] = move.to;
}

}  // namespace sweepd::internal
