// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message.h>

#include <memory>
#include <string>
#include <utility>

#include "session/message_bytes.h"

namespace sweepd::session {

/// A message as a door has received it, in a text.
class TextBytes final : public MessageBytes {
 public:
  std::size_t size() const override { return text.size(); }
  void drop() override { text.clear(); }
  bool read_into(google::protobuf::Message& message) override {
    return message.ParseFromString(std::exchange(text, {}));
  }
  std::unique_ptr<MessageBytes> release() override {
    auto released = std::make_unique<TextBytes>();
    released->text.swap(text);
    return released;
  }

  std::string text;
};

}  // namespace sweepd::session
