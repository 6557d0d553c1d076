// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "frame_builder.h"
#include "match_stream.h"
#include "move_encoder.h"
#include "sweepd/client.h"

namespace sweepd::internal {

/// A participant's stream: a join, then frames out; updates in.
///
/// Frames wait in a bounded queue, because gRPC takes one write at a time and a slow connection takes none;
/// and while the stream is on its way back. When the queue is full, `send` refuses and the game keeps the
/// frame. Nothing that was taken is dropped while the stream lives, but for what was on its way when it
/// broke.
class PlayStream final : public MatchStream {
 public:
  PlayStream(Network* network, Route route, const JoinOptions& options);

  // From the game's thread.

  /// Finishes the frame in progress and takes it; kQueueFull leaves it in progress.
  Status send(Tick tick, FrameBuilder* frame);
  /// Behind the frames that `send` took, in the same queue.
  Status send(const ClockControl& control);
  /// Frames that `send` took and that are not on the wire.
  std::size_t unsent_frames();
  /// Sends what waits, then ends the stream; a server that does not answer to that in time is left anyway.
  void leave();
  /// Ends the stream without sending what waits. The server is told, so that the seat is not kept.
  void abandon();

 private:
  using Request = std::unique_ptr<v1::PlayRequest>;

  void begin_call(Service::Stub* stub, grpc::ClientContext* context, void* started) override;
  void call_started() override;
  void read_next(void* read) override { call_->Read(&response_, read); }
  bool receive() override;
  bool receive(const v1::Joined& response);
  bool may_come_back() override { return reconnect_ticks_ > 0 && !token_.empty(); }
  Request join_request();
  void finish_call(grpc::Status* status, void* finished) override;
  void forget_call() override { call_.reset(); }

  void queue(Request request);
  void flush();
  void end_with(bool sends_what_waits);
  void close_writes(std::chrono::milliseconds patience);
  void has_written(bool ok);
  void write_next();
  bool take_next();

  // With mutex_ held.
  std::size_t unsent() const;
  Status check_room() const;
  Request take_spare();

  // The network's thread alone.
  std::unique_ptr<grpc::ClientAsyncReaderWriter<v1::PlayRequest, v1::PlayResponse>> call_;
  v1::PlayResponse response_;
  bool may_write_ = false;
  bool is_seated_ = false;  ///< On this call: frames may go out.
  MoveEncoder moves_;       ///< Of this call.
  std::string token_;       ///< For taking the seat again.
  std::uint32_t reconnect_ticks_ = 0;
  bool leaving_ = false;
  Operation write_;

  bool leaving_began_ = false;  ///< The game's thread alone.
  const JoinOptions options_;
  std::mutex mutex_;  ///< Guards what follows.
  Request writing_;   ///< gRPC has it.
  std::deque<Request> queued_;
  std::vector<Request> spare_;  ///< Their storage serves the frames to come.
  bool flush_posted_ = false;
};

}  // namespace sweepd::internal
