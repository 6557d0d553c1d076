// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstddef>
#include <optional>

#include "match/field_check.h"

namespace sweepd::rpc {

/// A larger request is refused; gRPC brings twice as much, so that the refusal is the server's own.
inline constexpr std::size_t kRequestBytesMax = std::size_t{1} << 20;

inline bool is_too_large(const grpc::ByteBuffer& bytes) { return bytes.Length() > kRequestBytesMax; }

/// What keeps `message`, which has what was read of its bytes until then, from being read whole: the path of
/// a text that is not UTF-8 ("config.layers[2]"), or "message", where the bytes are no message of its type.
match::FieldError parse_fault(const google::protobuf::Message& message);

/// Reads `bytes`, which are gone then, into `message`. Nothing: it is whole.
template <typename Message>
std::optional<match::FieldError> parse_request(grpc::ByteBuffer& bytes, Message& message) {
  const bool is_whole = grpc::SerializationTraits<Message>::Deserialize(&bytes, &message).ok();
  bytes.Clear();
  if (is_whole) return std::nullopt;
  return parse_fault(message);
}

}  // namespace sweepd::rpc
