// SPDX-License-Identifier: MIT
#include "rpc/frame_codec.h"

#include <algorithm>
#include <limits>
#include <string>

#include "match/frame_queue.h"
#include "rpc/claim_codec.h"
#include "rpc/outcome_codec.h"
#include "rpc/shape_codec.h"

namespace sweepd::rpc {
namespace {

using collision::ObjectId;
using collision::Point;
using match::FieldError;

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
  spec.continuous = message.continuous();
  spec.single_use = message.single_use();
  spec.hit_points = message.hit_points();
  spec.damage = message.damage();
  return spec;
}

void decode_small_changes(const v1::Frame& message, match::Frame& frame) {
  for (const auto& reshape : message.reshapes()) {
    frame.reshapes.push_back({reshape.object_id(), decode_parts(reshape.parts())});
  }
  for (const auto& change : message.layer_changes()) {
    const auto part = change.has_part() ? std::optional(change.part()) : std::nullopt;
    frame.layer_changes.push_back({change.object_id(), part, change.layer()});
  }
  for (const auto& change : message.motions()) {
    frame.motions.push_back({change.object_id(), decode_motion(change.motion())});
  }
  for (const auto& disable : message.disables()) {
    frame.disables.push_back({disable.object_id(), disable.until_tick()});
  }
  frame.enables.assign(message.enables().begin(), message.enables().end());
  // One more than may wait: the match then says so, and what nobody will judge takes no memory.
  const int claims = std::min(message.claims_size(), static_cast<int>(match::kClaimsWaitingMax) + 1);
  for (int i = 0; i < claims; ++i) frame.claims.push_back(decode_claim(message.claims(i)));
}

FieldError unequal_length(std::string field, int found, int expected) {
  return {std::move(field),
          std::to_string(found) + " rows; the first column has " + std::to_string(expected)};
}

FieldError too_many_positions(std::string field) {
  return {std::move(field), "the last " + std::to_string(PositionTable::kFramesMax) +
                                " frames of this stream have positions for " +
                                std::to_string(PositionTable::kPositionsMax) + " objects, the limit"};
}

/// Zero where a coordinate of it would not fit.
Point step_between(Point from, Point to) {
  const std::int64_t x = std::int64_t{to.x} - from.x;
  const std::int64_t y = std::int64_t{to.y} - from.y;
  if (!collision::fits_subunits(x) || !collision::fits_subunits(y)) return {};
  return {static_cast<collision::Subunits>(x), static_cast<collision::Subunits>(y)};
}

std::string cell(const char* column, int row) {
  return std::string(column) + "[" + std::to_string(row) + "]";
}

}  // namespace

base::Result<match::Frame, FieldError> FrameDecoder::decode(const v1::Frame& message, Undo& undo) {
  match::Frame frame;
  frame.tick = message.tick();
  frame.acknowledged_tick = message.acknowledged_tick();
  positions_.begin_frame();
  if (Error error = decode_positions(message, frame, undo)) {
    undo.undo(positions_);
    return *std::move(error);
  }
  undo.clear();
  decode_small_changes(message, frame);
  decode_mass_changes(message, frame);
  decode_despawns(message, frame);
  return frame;
}

FrameDecoder::Error FrameDecoder::decode_positions(const v1::Frame& message, match::Frame& frame,
                                                   Undo& undo) {
  Error error = decode_spawns(message, frame, undo);
  if (!error && message.has_moves()) error = decode_moves(message.moves(), frame, undo);
  if (!error) error = decode_absolute(message.absolute_moves(), "absolute_moves", frame.moves, undo);
  if (!error) error = decode_absolute(message.teleports(), "teleports", frame.teleports, undo);
  return error;
}

FrameDecoder::Error FrameDecoder::decode_spawns(const v1::Frame& message, match::Frame& frame, Undo& undo) {
  frame.spawns.reserve(static_cast<std::size_t>(message.spawns_size()));
  for (const v1::Spawn& spawn : message.spawns()) {
    frame.spawns.push_back(decode_spawn(spawn));
    if (!set_position(spawn.object_id(), {spawn.x(), spawn.y()}, undo)) {
      return too_many_positions(cell("spawns", static_cast<int>(frame.spawns.size()) - 1) + ".object_id");
    }
  }
  return std::nullopt;
}

FrameDecoder::Error FrameDecoder::decode_moves(const v1::MoveColumns& columns, match::Frame& frame,
                                               Undo& undo) {
  const int rows = columns.id_delta_size();
  if (columns.dx_size() != rows) return unequal_length("moves.dx", columns.dx_size(), rows);
  if (columns.dy_size() != rows) return unequal_length("moves.dy", columns.dy_size(), rows);
  frame.moves.reserve(static_cast<std::size_t>(rows));
  std::int64_t id = 0;
  for (int row = 0; row < rows; ++row) {
    const std::int64_t delta = columns.id_delta(row);
    // Between two ids of 32 bits lies no more; and so the sum cannot overflow.
    constexpr std::int64_t kDeltaMax = std::numeric_limits<ObjectId>::max();
    const bool is_delta_possible = delta >= -kDeltaMax && delta <= kDeltaMax;
    if (is_delta_possible) id += delta;
    if (!is_delta_possible || id < 0 || id > kDeltaMax) {
      return FieldError{cell("moves.id_delta", row), "leads to an object id outside 0 to 4294967295"};
    }
    if (auto error = decode_move(columns, row, id, frame, undo)) return error;
  }
  frame.relative_moves = frame.moves.size();
  return std::nullopt;
}

FrameDecoder::Error FrameDecoder::decode_move(const v1::MoveColumns& columns, int row, std::int64_t wide_id,
                                              match::Frame& frame, Undo& undo) {
  const auto id = static_cast<ObjectId>(wide_id);
  const auto [sent, set_in] = undo.place_of(id, positions_);
  if (sent == nullptr) return too_many_positions(cell("moves.id_delta", row));
  const Point step = columns.is_against_course() ? sent->last_step : Point{};
  const std::int64_t x = std::int64_t{sent->position.x} + step.x + columns.dx(row);
  const std::int64_t y = std::int64_t{sent->position.y} + step.y + columns.dy(row);
  if (!collision::fits_subunits(x)) {
    return FieldError{cell("moves.dx", row), "leads to x = " + std::to_string(x) + ", outside 32 bits"};
  }
  if (!collision::fits_subunits(y)) {
    return FieldError{cell("moves.dy", row), "leads to y = " + std::to_string(y) + ", outside 32 bits"};
  }
  const Point position{static_cast<collision::Subunits>(x), static_cast<collision::Subunits>(y)};
  *sent = {position, set_in == PositionTable::kNoFrame ? Point{} : step_between(sent->position, position)};
  frame.moves.push_back({id, position});
  return std::nullopt;
}

FrameDecoder::Error FrameDecoder::decode_absolute(const v1::AbsoluteMoveColumns& columns,
                                                  const std::string& name, std::vector<match::Move>& moves,
                                                  Undo& undo) {
  const int rows = columns.object_id_size();
  if (columns.x_size() != rows) return unequal_length(name + ".x", columns.x_size(), rows);
  if (columns.y_size() != rows) return unequal_length(name + ".y", columns.y_size(), rows);
  moves.reserve(moves.size() + static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    const Point position{columns.x(row), columns.y(row)};
    if (!set_position(columns.object_id(row), position, undo)) {
      return too_many_positions(cell((name + ".object_id").c_str(), row));
    }
    moves.push_back({columns.object_id(row), position});
  }
  return std::nullopt;
}

void FrameDecoder::decode_despawns(const v1::Frame& message, match::Frame& frame) {
  frame.despawns.assign(message.despawns().begin(), message.despawns().end());
  for (const ObjectId id : frame.despawns) positions_.erase(id);
}

bool FrameDecoder::set_position(ObjectId id, Point position, Undo& undo) {
  SentPosition* const place = undo.place_of(id, positions_).position;
  if (place != nullptr) *place = {position, {}};
  return place != nullptr;
}

PositionTable::Place FrameDecoder::Undo::place_of(ObjectId id, PositionTable& positions) {
  const PositionTable::Place place = positions.find_or_add(id);
  if (place.position != nullptr) replaced_.push_back({id, *place.position, place.set_in});
  return place;
}

void FrameDecoder::Undo::undo(PositionTable& positions) {
  for (auto it = replaced_.rbegin(); it != replaced_.rend(); ++it) {
    positions.restore(it->id, it->position, it->set_in);
  }
  replaced_.clear();
}

}  // namespace sweepd::rpc
