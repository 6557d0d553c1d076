// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>
#include <string>

#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::test {

/// What the details of a status say, as "REASON field".
std::string describe(const grpc::Status& status);

/// A Play stream, message by message, for what the SDK would refuse to send.
class RawStream {
 public:
  /// `token`: a ticket; empty: none.
  explicit RawStream(v1::MatchService::Stub& stub, const std::string& token = {}) {
    if (!token.empty()) context_.AddMetadata("authorization", "Bearer " + token);
    stream_ = stub.Play(&context_);
  }
  ~RawStream() { context_.TryCancel(); }

  void join(const v1::Join& join);
  void join(const std::string& match_id, const std::string& name, v1::Role role = v1::ROLE_PLAYER);
  v1::PlayResponse joined(const std::string& match_id, const std::string& name);
  v1::Joined joined(const v1::Join& join);

  void send(const v1::Frame& frame);
  void send(const v1::PlayRequest& request) { stream_->Write(request); }

  /// The next message, heartbeats included.
  bool read_any(v1::PlayResponse& response) { return stream_->Read(&response); }
  /// The next message but heartbeats; nothing at the end of the stream.
  std::optional<v1::PlayResponse> read();
  /// As if the connection had broken.
  void cut() { context_.TryCancel(); }
  void half_close() { stream_->WritesDone(); }

  /// Reads until a rejection comes.
  v1::Rejection rejection();

  grpc::Status finish();

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> stream_;
};

}  // namespace sweepd::test
