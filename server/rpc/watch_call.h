// SPDX-License-Identifier: MIT
#pragma once

#include "rpc/stream_call.h"

namespace sweepd::rpc {

/// Somebody who follows a match without taking part.
class WatchCall final : public StreamCall<grpc::ServerAsyncWriter<v1::WatchResponse>, v1::WatchResponse> {
 public:
  /// Waits for the next call.
  static void accept(LoopServer& server);

 private:
  explicit WatchCall(LoopServer& server) : StreamCall(server, "Watch", server.backend().watch_streams) {}

  void accept_next() override { accept(accepting_); }
  void begin() override;
  void attach(runtime::MatchHost& host) override;
  /// The encounters that are open are told, however many.
  bool is_long_to_attach() const override { return true; }
  void fill_ended(const runtime::MatchHost& host, v1::WatchResponse& response) override;

  grpc::ByteBuffer bytes_;  ///< Of the request, until it is parsed.
  v1::WatchRequest request_;
};

}  // namespace sweepd::rpc
