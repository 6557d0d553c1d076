// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/server_bench_traffic.h"
#include "runtime/match/resident_matches.h"
#include "session/outbox.h"
#include "session/request_memory.h"
#include "sweepd/v1/stream.pb.h"
#include "wire/frame_codec.h"

namespace sweepd::bench {

/// One match on a loop of its own, with everything of the server but its network: messages come as the bytes
/// that gRPC would hand over, and go as the bytes that it would take.
class HostPlay {
 public:
  explicit HostPlay(const SceneTraffic& traffic);
  ~HostPlay();

  /// The messages of the next tick, as they come off the wire.
  void lay_out_tick();
  /// What a stream does with a message until the match has it, in two steps.
  void decode_frames();
  void submit_frames();
  /// The tick, and what the four streams do with what it brought.
  void run_tick();

  std::size_t frame_bytes() const { return frame_bytes_; }  ///< Of the messages laid out last.
  /// Of the last tick.
  std::size_t updates() const { return updates_; }
  std::size_t update_bytes() const { return update_bytes_; }
  double telling_us() const { return telling_us_; }
  const match::Match& match() const { return host_->match(); }

 private:
  class Stream;
  class NoNetwork final : public runtime::Poller {
   public:
    runtime::Duration poll(runtime::TimePoint) override { return {}; }
    void wake() override {}
  };

  const SceneTraffic& traffic_;
  std::uint32_t next_tick_ = 0;
  NoNetwork poller_;
  runtime::TimePoint now_{std::chrono::seconds(1000)};
  runtime::Loop loop_{poller_, [this] { return now_; }};
  runtime::MatchRegistry registry_{1, 1};
  runtime::ResidentMatches matches_{loop_, registry_, std::chrono::seconds(300)};
  runtime::MatchHost* host_ = nullptr;
  session::RequestMemory request_memory_;
  wire::FrameDecoder::Undo undo_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::size_t frame_bytes_ = 0;
  std::size_t updates_ = 0;
  std::size_t update_bytes_ = 0;
  double telling_us_ = 0;
};

}  // namespace sweepd::bench
