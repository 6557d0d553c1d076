// SPDX-License-Identifier: MIT
#include "move_encoder.h"

#include <google/protobuf/wire_format_lite.h>

#include <limits>
#include <optional>

namespace sweepd::internal {
namespace {

bool fits_column(std::int64_t difference) {
  return difference >= std::numeric_limits<std::int32_t>::min() &&
         difference <= std::numeric_limits<std::int32_t>::max();
}

/// Nothing: it does not fit.
template <typename Point>
std::optional<Point> difference(const Point& from, const Point& to) {
  const std::int64_t x = std::int64_t{to.x} - from.x;
  const std::int64_t y = std::int64_t{to.y} - from.y;
  if (!fits_column(x) || !fits_column(y)) return std::nullopt;
  return Point{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
}

template <typename Point>
std::size_t bytes_of(const Point& offset) {
  using google::protobuf::internal::WireFormatLite;
  return WireFormatLite::SInt32Size(offset.x) + WireFormatLite::SInt32Size(offset.y);
}

}  // namespace

void MoveEncoder::encode(v1::Frame* frame) {
  begin_frame();
  given_.Clear();
  if (frame->has_absolute_moves()) given_.Swap(frame->mutable_absolute_moves());
  frame->clear_absolute_moves();
  // In the order in which the server goes through the frame.
  for (const v1::Spawn& spawn : frame->spawns()) {
    bases_[spawn.object_id()] = {{spawn.x(), spawn.y()}, {}, frame_};
  }
  relative_.clear();
  for (int i = 0; i < given_.object_id_size(); ++i) {
    encode_move(given_.object_id(i), {given_.x(i), given_.y(i)}, frame);
  }
  if (!relative_.empty()) write_relative_moves(frame->mutable_moves());
  const v1::AbsoluteMoveColumns& teleports = frame->teleports();
  for (int i = 0; i < teleports.object_id_size(); ++i) {
    bases_[teleports.object_id(i)] = {{teleports.x(i), teleports.y(i)}, {}, frame_};
  }
  for (const ObjectId id : frame->despawns()) bases_.erase(id);
}

void MoveEncoder::begin_frame() {
  ++frame_;
  if (frame_ % kFramesMax != 0) return;
  std::erase_if(bases_, [this](const auto& entry) { return frame_ - entry.second.set_in > kFramesMax; });
}

void MoveEncoder::encode_move(ObjectId id, Point to, v1::Frame* frame) {
  const auto [entry, is_new] = bases_.try_emplace(id);
  Base& base = entry->second;
  const bool is_known = !is_new && frame_ - base.set_in <= kFramesMax;
  const auto by = is_known ? difference(base.position, to) : std::nullopt;
  if (by) {
    // Where it does not fit, the frame is written the other way: zero is as good as anything.
    const auto against_course = difference(base.last_step, *by);
    relative_.push_back({id, *by, against_course.value_or(Point{}), against_course.has_value()});
  } else {
    v1::AbsoluteMoveColumns* rows = frame->mutable_absolute_moves();
    rows->add_object_id(id);
    rows->add_x(to.x);
    rows->add_y(to.y);
  }
  base = {to, by.value_or(Point{}), frame_};
}

void MoveEncoder::write_relative_moves(v1::MoveColumns* columns) {
  std::size_t bytes = 0;
  std::size_t bytes_against_course = 0;
  bool can_be_against_course = true;
  for (const RelativeMove& move : relative_) {
    bytes += bytes_of(move.by);
    bytes_against_course += bytes_of(move.against_course);
    can_be_against_course = can_be_against_course && move.has_course;
  }
  const bool is_against_course = can_be_against_course && bytes_against_course < bytes;
  columns->set_is_against_course(is_against_course);
  std::int64_t id_before = 0;
  for (const RelativeMove& move : relative_) {
    const Point& offset = is_against_course ? move.against_course : move.by;
    columns->add_id_delta(move.id - id_before);
    columns->add_dx(offset.x);
    columns->add_dy(offset.y);
    id_before = move.id;
  }
}

}  // namespace sweepd::internal
