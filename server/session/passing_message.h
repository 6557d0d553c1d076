// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/arena.h>

#include <cstddef>
#include <memory>

namespace sweepd::session {

/// A message that is filled, written and gone before the loop does anything else. Parts by the ten thousand
/// take milliseconds from the heap and back: they are in one piece of it.
template <typename Message>
class PassingMessage {
 public:
  /// `bytes`: about as many as its parts take in memory. For further ones it goes to the heap again.
  explicit PassingMessage(std::size_t bytes)
      : block_(std::make_unique_for_overwrite<char[]>(bytes)), arena_(block_.get(), bytes) {}
  PassingMessage(const PassingMessage&) = delete;
  PassingMessage& operator=(const PassingMessage&) = delete;

  Message& operator*() const { return message_; }
  Message* operator->() const { return &message_; }

 private:
  std::unique_ptr<char[]> block_;
  google::protobuf::Arena arena_;
  Message& message_ = *google::protobuf::Arena::CreateMessage<Message>(&arena_);
};

}  // namespace sweepd::session
