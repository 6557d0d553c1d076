// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message.h>

#include <cstddef>

namespace sweepd::session {

/// The bytes of a message as a door has them.
class MessageBytes {
 public:
  virtual std::size_t size() const = 0;
  /// Reads them into `message`; they are gone then. False: they are no whole message of its type.
  virtual bool read_into(google::protobuf::Message& message) = 0;

 protected:
  ~MessageBytes() = default;
};

}  // namespace sweepd::session
