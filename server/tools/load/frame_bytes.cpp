// SPDX-License-Identifier: MIT
#include "tools/load/frame_bytes.h"

namespace sweepd::tools::load {
namespace {

constexpr std::uint8_t kFrameTag = 0x12;            // PlayRequest.frame, with a length.
constexpr std::uint8_t kAcknowledgementTag = 0x10;  // Frame.acknowledged_tick, a varint.

}  // namespace

void append_varint(std::uint64_t value, std::string& bytes) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
}

void write_acknowledgement(std::uint64_t tick, char (&bytes)[kAcknowledgementBytes]) {
  bytes[0] = static_cast<char>(kAcknowledgementTag);
  // A varint may be longer than it needs to be: so the frame's length does not depend on the tick.
  for (std::size_t i = 1; i < kAcknowledgementBytes; ++i, tick >>= 7) {
    const bool is_last = i + 1 == kAcknowledgementBytes;
    bytes[i] = static_cast<char>((tick & 0x7F) | (is_last ? 0 : 0x80));
  }
}

std::string play_request(const v1::Frame& frame) {
  const std::string body = frame.SerializeAsString();
  std::string bytes(1, static_cast<char>(kFrameTag));
  append_varint(body.size() + kAcknowledgementBytes, bytes);
  return bytes + body;
}

std::string whole_request(const v1::Frame& frame) {
  char acknowledgement[kAcknowledgementBytes];
  write_acknowledgement(0, acknowledgement);
  return play_request(frame).append(acknowledgement, kAcknowledgementBytes);
}

std::string_view frame_in(std::string_view play_request) {
  std::size_t begin = 1;  // The tag; then comes the length, up to its first byte below 0x80.
  while ((play_request[begin] & 0x80) != 0) ++begin;
  return play_request.substr(begin + 1);
}

void MoveRows::add(std::uint32_t id, const Point& from, const Point& to) {
  v1::MoveColumns& columns = *frame_.mutable_moves();
  columns.add_id_delta(std::int64_t{id} - last_id_);
  columns.add_dx(to.x - from.x);
  columns.add_dy(to.y - from.y);
  last_id_ = id;
}

void add_absolute_move(v1::Frame& frame, std::uint32_t id, const Point& at) {
  v1::AbsoluteMoveColumns& moves = *frame.mutable_absolute_moves();
  moves.add_object_id(id);
  moves.add_x(at.x);
  moves.add_y(at.y);
}

v1::Spawn* add_spawn(v1::Frame& frame, std::uint32_t id, const Point& at) {
  v1::Spawn* spawn = frame.add_spawns();
  spawn->set_object_id(id);
  spawn->set_x(at.x);
  spawn->set_y(at.y);
  return spawn;
}

void add_part(const PartBox& box, std::uint32_t layer, v1::Spawn& spawn) {
  v1::Part* part = spawn.add_parts();
  part->mutable_box()->set_min_x(box.min_x);
  part->mutable_box()->set_min_y(box.min_y);
  part->mutable_box()->set_max_x(box.max_x);
  part->mutable_box()->set_max_y(box.max_y);
  part->set_layer(layer);
}

}  // namespace sweepd::tools::load
