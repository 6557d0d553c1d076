// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/async_stream.h>

#include "rpc/stream_call.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::rpc {

/// Follows a match without a seat in it.
class WatchCall : public StreamCall {
 public:
  /// Waits for a call, and for the next one as soon as it has come.
  static void await(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue, runtime::Loop& loop,
                    const ServiceContext& context);

 private:
  WatchCall(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue, runtime::Loop& loop,
            const ServiceContext& context);

  void begin() override;
  void await_next() override;
  void depart() override;
  void write_update(v1::TickUpdate& update) override;
  void write_ended(const runtime::MatchHost& host) override;
  void write_finish(const grpc::Status& status) override;
  void start();

  v1::MatchService::AsyncService& service_;
  grpc::ServerCompletionQueue& queue_;
  runtime::Loop& loop_;
  grpc::ServerAsyncWriter<v1::WatchResponse> stream_;
  v1::WatchRequest request_;
  v1::WatchResponse response_;
  bool is_subscribed_ = false;
};

}  // namespace sweepd::rpc
