// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>

#include "session/message_bytes.h"

namespace sweepd::rpc {

/// A message as gRPC has received it.
class RequestBytes final : public session::MessageBytes {
 public:
  std::size_t size() const override { return buffer.Length(); }
  void drop() override { buffer.Clear(); }
  bool read_into(google::protobuf::Message& message) override {
    const bool is_whole =
        grpc::GenericDeserialize<grpc::ProtoBufferReader, google::protobuf::Message>(&buffer, &message).ok();
    buffer.Clear();
    return is_whole;
  }
  std::unique_ptr<session::MessageBytes> release() override {
    auto released = std::make_unique<RequestBytes>();
    released->buffer.Swap(&buffer);
    return released;
  }

  grpc::ByteBuffer buffer;
};

}  // namespace sweepd::rpc
