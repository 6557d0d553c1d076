// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/delimited_message_util.h>

#include <optional>
#include <string_view>

namespace sweepd::fuzz {

/// Nothing: the bytes are none.
template <typename Message>
std::optional<Message> message_of(std::string_view bytes) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  return message;
}

/// The messages of a stream, each behind its length, up to the first that is none.
template <typename Message, typename Take>
void for_each_message(std::string_view bytes, const Take& take) {
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  Message message;
  while (google::protobuf::util::ParseDelimitedFromZeroCopyStream(&message, &stream, nullptr)) {
    take(message);
    message.Clear();
  }
}

/// Whether `path` ("slots[1].role") is of a field of `message`; where it has an index, of an element that is
/// there.
bool names_field(const google::protobuf::Message& message, std::string_view path);

/// Whether all of `text` is one value of JSON.
bool is_json(std::string_view text);

/// The library would tell of each message that is wrong.
using QuietMessages = google::protobuf::LogSilencer;

}  // namespace sweepd::fuzz
