// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "session/message_bytes.h"
#include "session/stream_participants.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::session {

/// A large message of a Play stream, which a worker parses, and whose frames it decodes: 300,000 moves take
/// ten milliseconds. Meanwhile it has what frames build on, the decoders of the stream's participants, so the
/// stream takes no other message.
class LargeMessage {
 public:
  using Request = base::Result<const v1::PlayRequest*, match::FieldError>;
  using Decoded = base::Result<match::Frame, match::FieldError>;

  LargeMessage(std::unique_ptr<MessageBytes> bytes, StreamParticipants& participants);

  /// Once, on any thread.
  void read();

  // After that, on the stream's.

  /// To participants that are on the stream still.
  void give_back_decoders(StreamParticipants& participants);
  Request request() const;
  struct OfOne {
    match::ParticipantNumber number;  ///< By whose decoder: it may have left the stream meanwhile.
    Decoded frame;
  };
  /// The next of the message's frames, in their order; nothing: it is of none of the participants.
  std::optional<OfOne> take_frame();

 private:
  void decode(const v1::Frame& frame);

  std::unique_ptr<MessageBytes> bytes_;
  std::vector<std::pair<match::ParticipantNumber, wire::FrameDecoder>> decoders_;  ///< The first one's first.
  v1::PlayRequest request_;
  std::optional<match::FieldError> fault_;
  wire::FrameDecoder::Undo undo_;
  std::vector<std::optional<OfOne>> frames_;
  std::size_t taken_ = 0;  ///< Of those.
};

}  // namespace sweepd::session
