// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/arena.h>

#include <array>
#include <cstddef>
#include <utility>

#include "base/result.h"
#include "session/parse_request.h"

namespace sweepd::session {

/// Where the streams of a loop have their messages parsed, one at a time: what one frame needed serves the
/// next, of any sender, and a stream that waits for a message has no memory for it. For one thread.
class RequestMemory {
 public:
  RequestMemory() : arena_(options(block_)) {}
  RequestMemory(const RequestMemory&) = delete;
  RequestMemory& operator=(const RequestMemory&) = delete;

  /// The message that `bytes` have, which are gone then, or what is wrong with them. Valid until the next
  /// one.
  template <typename Message>
  base::Result<const Message*, match::FieldError> parse(MessageBytes& bytes) {
    arena_.Reset();
    auto* message = google::protobuf::Arena::CreateMessage<Message>(&arena_);
    if (auto fault = parse_request(bytes, *message)) return *std::move(fault);
    return message;
  }

 private:
  /// Most messages need no other memory.
  using Block = std::array<char, std::size_t{64} << 10>;

  static google::protobuf::ArenaOptions options(Block& block) {
    google::protobuf::ArenaOptions options;
    options.initial_block = block.data();
    options.initial_block_size = block.size();
    return options;
  }

  alignas(std::max_align_t) Block block_;
  google::protobuf::Arena arena_;
};

}  // namespace sweepd::session
