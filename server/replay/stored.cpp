// SPDX-License-Identifier: MIT
#include "replay/stored.h"

#include "replay/footer_codec.h"

namespace sweepd::replay {
namespace {

template <typename Message, typename Value>
std::string to_bytes(const Value& value) {
  Message message;
  encode(value, message);
  return message.SerializeAsString();
}

template <typename Message, typename Value>
std::optional<Value> from_bytes(std::string_view bytes) {
  Message message;
  Value value;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  if (decode(message, value)) return std::nullopt;
  return value;
}

}  // namespace

std::string encode_head(const Head& head) { return to_bytes<v1::Header>(head); }
std::optional<Head> decode_head(std::string_view bytes) { return from_bytes<v1::Header, Head>(bytes); }

std::string encode_ending(const Ending& ending) { return to_bytes<v1::Footer>(ending); }
std::optional<Ending> decode_ending(std::string_view bytes) { return from_bytes<v1::Footer, Ending>(bytes); }

}  // namespace sweepd::replay
