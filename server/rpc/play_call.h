// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/arena.h>

#include <array>

#include "rpc/frame_codec.h"
#include "rpc/stream_call.h"

namespace sweepd::rpc {

/// A participant's connection: a join, then frames.
class PlayCall final
    : public StreamCall<grpc::ServerAsyncReaderWriter<v1::PlayResponse, v1::PlayRequest>, v1::PlayResponse> {
 public:
  /// Waits for the next call.
  static void accept(LoopServer& server);

 private:
  explicit PlayCall(LoopServer& server);

  void accept_next() override { accept(accepting_); }
  void begin() override { read(); }
  void attach() override;
  void fill_ended(const runtime::MatchHost& host, v1::PlayResponse& response) override;
  void on_read(bool ok) override;
  void on_over(bool cancelled) override;

  void read();
  void on_first_message();
  void join(runtime::MatchHost& host, runtime::SubscriptionOptions options);
  void rejoin(runtime::MatchHost& host, runtime::SubscriptionOptions options);
  void sit_down(runtime::MatchHost& host, const runtime::Seating& seating,
                const std::optional<runtime::ResumePoint>& seen);
  void on_message();
  void on_frame(const v1::Frame& message);
  bool is_within_byte_limits(const v1::Frame& message);
  void on_clock_control(const v1::ClockControl& message);
  void refuse_malformed(match::Tick frame_tick, std::string field, std::string message);

  /// Messages are read into an arena that starts in this block: most need no other memory.
  std::array<char, 4096> block_;
  google::protobuf::Arena arena_;
  v1::PlayRequest* request_ = nullptr;
  bool has_joined_ = false;
  bool is_half_closed_ = false;
  v1::Join join_;
  std::string token_;
  match::ParticipantNumber number_ = 0;
  FrameDecoder decoder_;
};

}  // namespace sweepd::rpc
