// SPDX-License-Identifier: MIT
#include "wire/frame_codec.h"

#include <algorithm>
#include <limits>
#include <string>

#include "match/frame_queue.h"
#include "wire/claim_codec.h"
#include "wire/message_codec.h"
#include "wire/shape_codec.h"

namespace sweepd::wire {
namespace {

using collision::ObjectId;
using collision::Point;
using match::FieldError;
using match::FrameChange;
using match::OfKind;

collision::Motion decode(const v1::Motion& message) {
  return {{message.velocity_x(), message.velocity_y()}, {message.acceleration_x(), message.acceleration_y()}};
}

collision::ObjectSpec decode(const v1::Spawn& message) {
  collision::ObjectSpec spec;
  spec.id = message.object_id();
  spec.position = {message.x(), message.y()};
  spec.parts = decode_parts(message.parts());
  spec.motion = decode(message.motion());
  spec.time_to_live_ticks = message.time_to_live_ticks();
  spec.despawn_outside_playfield = message.despawn_outside_playfield();
  spec.continuous = message.continuous();
  spec.single_use = message.single_use();
  spec.hit_points = message.hit_points();
  spec.damage = message.damage();
  spec.kind = message.template_number();
  spec.tag = message.tag();
  return spec;
}

match::Reshape decode(const v1::Reshape& message) {
  return {message.object_id(), decode_parts(message.parts())};
}

match::LayerChange decode(const v1::LayerChange& message) {
  const auto part = message.has_part() ? std::optional(message.part()) : std::nullopt;
  return {message.object_id(), part, message.layer()};
}

match::MotionChange decode(const v1::MotionChange& message) {
  return {message.object_id(), decode(message.motion())};
}

match::Selection decode(const v1::Selection& message) {
  match::Selection selection;
  selection.layers.assign(message.layers().begin(), message.layers().end());
  if (message.has_region()) {
    const v1::Box& box = message.region();
    selection.region = collision::Box{box.min_x(), box.min_y(), box.max_x(), box.max_y()};
  }
  return selection;
}

match::Disable decode(const v1::Disable& message) { return {message.object_id(), message.until_tick()}; }

ObjectId decode(std::uint32_t object_id) { return object_id; }

match::Transfer decode(const v1::Transfer& message) {
  return {.objects = {message.object_ids().begin(), message.object_ids().end()},
          .to = message.to_participant(),
          .with_stage = message.with_stage()};
}

// Where a message has the changes of each kind that are lists and set no positions.

const auto& field(OfKind<FrameChange::kReshape>, const v1::Frame& frame) { return frame.reshapes(); }
const auto& field(OfKind<FrameChange::kLayerChange>, const v1::Frame& frame) { return frame.layer_changes(); }
const auto& field(OfKind<FrameChange::kMotion>, const v1::Frame& frame) { return frame.motions(); }
const auto& field(OfKind<FrameChange::kFreeze>, const v1::Frame& frame) { return frame.freezes(); }
const auto& field(OfKind<FrameChange::kRelease>, const v1::Frame& frame) { return frame.releases(); }
const auto& field(OfKind<FrameChange::kDisable>, const v1::Frame& frame) { return frame.disables(); }
const auto& field(OfKind<FrameChange::kEnable>, const v1::Frame& frame) { return frame.enables(); }
const auto& field(OfKind<FrameChange::kTransfer>, const v1::Frame& frame) { return frame.transfers(); }
const auto& field(OfKind<FrameChange::kDespawn>, const v1::Frame& frame) { return frame.despawns(); }
const auto& field(OfKind<FrameChange::kMassDespawn>, const v1::Frame& frame) { return frame.mass_despawns(); }

template <typename Kind, typename Change>
void decode_list(Kind kind, const v1::Frame& message, std::vector<Change>& list) {
  list.reserve(static_cast<std::size_t>(field(kind, message).size()));
  for (const auto& entry : field(kind, message)) list.push_back(decode(entry));
}

void decode_list(OfKind<FrameChange::kScroll>, const v1::Frame& message, std::optional<Point>& scroll) {
  if (message.has_scroll()) scroll = Point{message.scroll().x(), message.scroll().y()};
}

/// One more than may wait: the match then says so, and what will not be judged takes no memory.
void decode_list(OfKind<FrameChange::kClaim>, const v1::Frame& message,
                 std::vector<match::HitClaim>& claims) {
  const int count = std::min(message.claims_size(), static_cast<int>(match::kClaimsWaitingMax) + 1);
  for (int i = 0; i < count; ++i) claims.push_back(decode_claim(message.claims(i)));
}

/// The same.
void decode_list(OfKind<FrameChange::kMessage>, const v1::Frame& message,
                 std::vector<match::AppMessage>& messages) {
  const int count = std::min(message.messages_size(), static_cast<int>(match::AppMessage::kPerFrameMax) + 1);
  for (int i = 0; i < count; ++i) messages.push_back(decode_message(message.messages(i)));
}

constexpr bool sets_positions(FrameChange kind) {
  return kind == FrameChange::kSpawn || kind == FrameChange::kMove || kind == FrameChange::kTeleport;
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
  Error error;
  match::for_each_kind(frame, [&](auto kind, auto& list) {
    if (error) return;
    if constexpr (sets_positions(kind.kind)) {
      error = decode_positions(kind, message, frame, undo);
    } else {
      decode_list(kind, message, list);
    }
  });
  if (error) {
    undo.undo(positions_);
    return *std::move(error);
  }
  undo.clear();
  for (const ObjectId id : frame.despawns) positions_.erase(id);
  return frame;
}

FrameDecoder::Error FrameDecoder::decode_positions(OfKind<FrameChange::kSpawn>, const v1::Frame& message,
                                                   match::Frame& frame, Undo& undo) {
  frame.spawns.reserve(static_cast<std::size_t>(message.spawns_size()));
  for (const v1::Spawn& spawn : message.spawns()) {
    frame.spawns.push_back(wire::decode(spawn));
    if (!set_position(spawn.object_id(), {spawn.x(), spawn.y()}, undo)) {
      return too_many_positions(cell("spawns", static_cast<int>(frame.spawns.size()) - 1) + ".object_id");
    }
  }
  return std::nullopt;
}

FrameDecoder::Error FrameDecoder::decode_positions(OfKind<FrameChange::kMove>, const v1::Frame& message,
                                                   match::Frame& frame, Undo& undo) {
  Error error;
  if (message.has_moves()) error = decode_moves(message.moves(), frame, undo);
  if (error) return error;
  return decode_absolute(message.absolute_moves(), "absolute_moves", frame.moves, undo);
}

FrameDecoder::Error FrameDecoder::decode_positions(OfKind<FrameChange::kTeleport> kind,
                                                   const v1::Frame& message, match::Frame& frame,
                                                   Undo& undo) {
  return decode_absolute(message.teleports(), kind.list, frame.teleports, undo);
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

}  // namespace sweepd::wire
