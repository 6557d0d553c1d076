// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message.h>

#include <cstddef>
#include <memory>

namespace sweepd::session {

/// A larger request is refused. Doors bring twice as much, so that the refusal is the server's own.
inline constexpr std::size_t kRequestBytesMax = std::size_t{1} << 20;

/// A larger request is parsed by a worker (aside.h): one of a mebibyte takes tens of milliseconds.
inline constexpr std::size_t kLargeRequestBytes = std::size_t{16} << 10;

/// The bytes of a message as a door has them.
class MessageBytes {
 public:
  virtual ~MessageBytes() = default;

  virtual std::size_t size() const = 0;
  bool is_large() const { return size() > kLargeRequestBytes; }
  bool is_too_large() const { return size() > kRequestBytesMax; }
  /// Frees them unread: those of a request that is refused.
  virtual void drop() = 0;
  /// Reads them into `message`; they are gone then. False: they are no whole message of its type.
  virtual bool read_into(google::protobuf::Message& message) = 0;
  /// Takes them out, without a copy, for another thread to read: the door may bring the next message then.
  virtual std::unique_ptr<MessageBytes> release() = 0;
};

}  // namespace sweepd::session
