// SPDX-License-Identifier: MIT
#include "rpc/frame_codec.h"

#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

namespace sweepd::rpc {
namespace {

using match::FieldError;
using match::Frame;

std::vector<collision::Part> decode_parts(const google::protobuf::RepeatedPtrField<v1::Part>& messages) {
  std::vector<collision::Part> parts;
  parts.reserve(static_cast<std::size_t>(messages.size()));
  for (const v1::Part& part : messages) {
    parts.push_back({decode_box(part.box()), collision::saturate_layer(part.layer())});
  }
  return parts;
}

collision::Motion decode_motion(const v1::Motion& message) {
  return {{message.velocity_x(), message.velocity_y()}, {message.acceleration_x(), message.acceleration_y()}};
}

collision::ObjectSpec decode_spawn(const v1::Spawn& message) {
  collision::ObjectSpec spec;
  spec.id = message.object_id();
  spec.position = {message.x(), message.y()};
  spec.parts = decode_parts(message.parts());
  spec.motion = decode_motion(message.motion());
  spec.time_to_live_ticks = message.time_to_live_ticks();
  spec.despawn_outside_playfield = message.despawn_outside_playfield();
  return spec;
}

FieldError unequal_columns(const std::string& column, int found, int expected) {
  return {column, "has " + std::to_string(found) + " rows, the id column " + std::to_string(expected)};
}

std::string row(const char* column, int index) { return std::string(column) + "[" + std::to_string(index) + "]"; }

FieldError out_of_range(std::string field, std::int64_t value) {
  return {std::move(field), "comes to " + std::to_string(value) + ", past the range of the coordinates"};
}

/// The base of a relative move, with what the same frame sent before it.
class FrameBases {
 public:
  FrameBases(const MoveBases& bases, const Frame& frame) : bases_(bases) {
    for (const auto& spawn : frame.spawns) sent_[spawn.id] = spawn.position;
  }
  collision::Point base_of(match::ObjectId object) const {
    const auto found = sent_.find(object);
    return found == sent_.end() ? bases_.base_of(object) : found->second;
  }
  void note(const match::Move& move) { sent_[move.object] = move.position; }

 private:
  const MoveBases& bases_;
  std::unordered_map<match::ObjectId, collision::Point> sent_;
};

std::optional<FieldError> decode_relative_moves(const v1::MoveColumns& columns, const MoveBases& bases, Frame& frame) {
  const int rows = columns.id_delta_size();
  if (columns.dx_size() != rows) return unequal_columns("moves.dx", columns.dx_size(), rows);
  if (columns.dy_size() != rows) return unequal_columns("moves.dy", columns.dy_size(), rows);
  FrameBases frame_bases(bases, frame);
  std::int64_t id = 0;
  for (int i = 0; i < rows; ++i) {
    constexpr std::int64_t kIdMax = std::numeric_limits<std::uint32_t>::max();
    const std::int64_t delta = columns.id_delta(i);
    if (delta < -kIdMax || delta > kIdMax || id + delta < 1 || id + delta > kIdMax) {
      return FieldError{row("moves.id_delta", i), "leads to no object id (1 to " + std::to_string(kIdMax) + ")"};
    }
    id += delta;
    const collision::Point base = frame_bases.base_of(static_cast<match::ObjectId>(id));
    const std::int64_t x = std::int64_t{base.x} + columns.dx(i);
    const std::int64_t y = std::int64_t{base.y} + columns.dy(i);
    if (!collision::fits_subunits(x)) return out_of_range(row("moves.dx", i), x);
    if (!collision::fits_subunits(y)) return out_of_range(row("moves.dy", i), y);
    frame.moves.push_back({static_cast<match::ObjectId>(id),
                           {static_cast<collision::Subunits>(x), static_cast<collision::Subunits>(y)}});
    frame_bases.note(frame.moves.back());
  }
  frame.relative_moves = frame.moves.size();
  return std::nullopt;
}

std::optional<FieldError> decode_absolute_moves(const v1::AbsoluteMoveColumns& columns, Frame& frame) {
  const int rows = columns.object_id_size();
  if (columns.x_size() != rows) return unequal_columns("absolute_moves.x", columns.x_size(), rows);
  if (columns.y_size() != rows) return unequal_columns("absolute_moves.y", columns.y_size(), rows);
  for (int i = 0; i < rows; ++i) frame.moves.push_back({columns.object_id(i), {columns.x(i), columns.y(i)}});
  return std::nullopt;
}

void decode_part_changes(const v1::Frame& message, Frame& frame) {
  for (const v1::Spawn& spawn : message.spawns()) frame.spawns.push_back(decode_spawn(spawn));
  for (const v1::Reshape& reshape : message.reshapes()) {
    frame.reshapes.push_back({reshape.object_id(), decode_parts(reshape.parts())});
  }
  for (const v1::LayerChange& change : message.layer_changes()) {
    const auto part = change.has_part() ? std::optional(change.part()) : std::nullopt;
    frame.layer_changes.push_back({change.object_id(), part, change.layer()});
  }
}

void decode_state_changes(const v1::Frame& message, Frame& frame) {
  for (const v1::MotionChange& change : message.motions()) {
    frame.motions.push_back({change.object_id(), decode_motion(change.motion())});
  }
  for (const v1::Disable& disable : message.disables()) {
    frame.disables.push_back({disable.object_id(), disable.until_tick()});
  }
  frame.enables.assign(message.enables().begin(), message.enables().end());
  frame.despawns.assign(message.despawns().begin(), message.despawns().end());
}

}  // namespace

collision::Box decode_box(const v1::Box& message) {
  return {message.min_x(), message.min_y(), message.max_x(), message.max_y()};
}

void encode_box(const collision::Box& box, v1::Box* message) {
  message->set_min_x(box.min_x);
  message->set_min_y(box.min_y);
  message->set_max_x(box.max_x);
  message->set_max_y(box.max_y);
}

base::Result<Frame, FieldError> decode_frame(const v1::Frame& message, MoveBases& bases) {
  Frame frame;
  frame.tick = message.tick();
  frame.acknowledged_tick = message.acknowledged_tick();
  decode_part_changes(message, frame);
  if (auto error = decode_relative_moves(message.moves(), bases, frame)) return *std::move(error);
  if (auto error = decode_absolute_moves(message.absolute_moves(), frame)) return *std::move(error);
  decode_state_changes(message, frame);
  if (!bases.has_room_for(frame.spawns.size() + frame.moves.size())) {
    return FieldError{"moves", "this stream has sent positions of " + std::to_string(MoveBases::kObjectsMax) +
                                   " objects without despawning them, the most that are remembered"};
  }
  bases.take(frame);
  return frame;
}

}  // namespace sweepd::rpc
