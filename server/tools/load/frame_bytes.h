// SPDX-License-Identifier: MIT
#pragma once

#include <sweepd/v1/match_service.pb.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/load/scene.h"

namespace sweepd::tools::load {

/// What is appended to ClientLoop::frame: always so many bytes, whatever the tick, up to 2^28 - 1.
inline constexpr std::size_t kAcknowledgementBytes = 5;
void write_acknowledgement(std::uint64_t tick, char (&bytes)[kAcknowledgementBytes]);

/// The PlayRequest of a frame, all but the acknowledgement that its length counts already.
std::string play_request(const v1::Frame& frame);
/// The same with an acknowledgement of 0.
std::string whole_request(const v1::Frame& frame);
/// What either has of its frame.
std::string_view frame_in(std::string_view play_request);

void append_varint(std::uint64_t value, std::string& bytes);

/// Rows of MoveColumns, with ids given as differences. The frame must outlive it.
class MoveRows {
 public:
  explicit MoveRows(v1::Frame& frame) : frame_(frame) {}
  void add(std::uint32_t id, const Point& from, const Point& to);

 private:
  v1::Frame& frame_;
  std::int64_t last_id_ = 0;
};

void add_absolute_move(v1::Frame& frame, std::uint32_t id, const Point& at);
v1::Spawn* add_spawn(v1::Frame& frame, std::uint32_t id, const Point& at);
void add_part(const PartBox& box, std::uint32_t layer, v1::Spawn& spawn);

}  // namespace sweepd::tools::load
