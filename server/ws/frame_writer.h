// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message_lite.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ws/close_code.h"

namespace sweepd::ws {

enum class FrameKind : std::uint8_t { kText = 0x1, kBinary = 0x2, kClose = 0x8, kPong = 0xa };

/// Of a server's frame: two bytes, and the rest of the length.
inline constexpr std::size_t kFrameHeaderBytesMax = 10;
/// Of a control frame.
inline constexpr std::size_t kControlBytesMax = 125;

/// Appends a frame to what is sent.
void append_frame(std::string& out, FrameKind kind, std::string_view payload);
/// The reason is clipped to what the frame holds.
void append_close(std::string& out, CloseCode code, std::string_view reason);

/// A message as a frame, in memory that serves the next one, too. Valid until then.
class MessageFrame {
 public:
  std::string_view write(const google::protobuf::MessageLite& message);

 private:
  std::string bytes_;
};

}  // namespace sweepd::ws
