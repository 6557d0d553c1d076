// SPDX-License-Identifier: MIT
#include "tools/load/shared_request.h"

#include "tools/load/frame_bytes.h"

namespace sweepd::tools::load {
namespace {

constexpr char kFramesTag = 0x2A;               // PlayRequest.frames, with a length.
constexpr char kOneFrameTag = 0x0A;             // Frames.frames, with a length.
constexpr std::uint64_t kParticipantTag = 160;  // Frame.participant, a varint; itself one of two bytes.

}  // namespace

// Of a field that comes twice the last one counts.
void SharedRequest::add(std::uint32_t participant, std::string_view request) {
  const std::string_view frame = frame_in(request);
  std::string end;
  append_varint(kParticipantTag, end);
  append_varint(participant, end);
  char acknowledgement[kAcknowledgementBytes];
  write_acknowledgement(acknowledged_tick_, acknowledgement);
  end.append(acknowledgement, sizeof acknowledgement);
  frames_.push_back(kOneFrameTag);
  append_varint(frame.size() + end.size(), frames_);
  frames_.append(frame).append(end);
}

std::string SharedRequest::bytes() const {
  std::string bytes(1, kFramesTag);
  append_varint(frames_.size(), bytes);
  return bytes + frames_;
}

}  // namespace sweepd::tools::load
