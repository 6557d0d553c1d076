// SPDX-License-Identifier: MIT
#include "session/large_message.h"

#include "session/parse_request.h"
#include "session/play_quota.h"

namespace sweepd::session {

LargeMessage::LargeMessage(std::unique_ptr<MessageBytes> bytes, StreamParticipants& participants)
    : bytes_(std::move(bytes)) {
  for (const StreamParticipant& one : participants.all())
    decoders_.emplace_back(one.number, std::move(participants.find(one.number)->decoder));
}

void LargeMessage::read() {
  fault_ = parse_request(*bytes_, request_);
  if (fault_) return;
  if (request_.has_frame()) decode(request_.frame());
  if (request_.frames().frames_size() > kListedFramesMax) return;
  for (const v1::Frame& frame : request_.frames().frames()) decode(frame);
}

void LargeMessage::decode(const v1::Frame& frame) {
  std::optional<OfOne>& decoded = frames_.emplace_back();
  for (auto& [number, decoder] : decoders_) {
    if (frame.has_participant() && number != frame.participant()) continue;
    decoded = OfOne{number, decoder.decode(frame, undo_)};
    return;
  }
}

void LargeMessage::give_back_decoders(StreamParticipants& participants) {
  for (auto& [number, decoder] : decoders_)
    if (StreamParticipant* const one = participants.find(number)) one->decoder = std::move(decoder);
}

LargeMessage::Request LargeMessage::request() const {
  if (fault_) return *fault_;
  return &request_;
}

std::optional<LargeMessage::OfOne> LargeMessage::take_frame() {
  if (taken_ == frames_.size()) return std::nullopt;
  return std::exchange(frames_[taken_++], std::nullopt);
}

}  // namespace sweepd::session
