// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/async_stream.h>

#include "match/participant.h"
#include "rpc/move_bases.h"
#include "rpc/stream_call.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::rpc {

/// A participant's connection: a join, then frames, each decoded and handed to the match as it comes.
class PlayCall : public StreamCall {
 public:
  /// Waits for a call, and for the next one as soon as it has come.
  static void await(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue, runtime::Loop& loop,
                    const ServiceContext& context);

 private:
  PlayCall(v1::MatchService::AsyncService& service, grpc::ServerCompletionQueue& queue, runtime::Loop& loop,
           const ServiceContext& context);

  void begin() override { read(); }
  void await_next() override;
  void depart() override;
  void write_update(v1::TickUpdate& update) override;
  void write_ended(const runtime::MatchHost& host) override;
  void write_finish(const grpc::Status& status) override;
  void read_done(bool ok) override;

  void read();
  void find_match();
  void join();
  void take_message();
  void take_frame(const v1::Frame& frame);

  v1::MatchService::AsyncService& service_;
  grpc::ServerCompletionQueue& queue_;
  runtime::Loop& loop_;
  grpc::ServerAsyncReaderWriter<v1::PlayResponse, v1::PlayRequest> stream_;
  v1::PlayRequest request_;
  v1::PlayResponse response_;
  MoveBases bases_;
  std::optional<match::ParticipantNumber> participant_;
};

}  // namespace sweepd::rpc
