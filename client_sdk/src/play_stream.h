// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/client_callback.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "frame_builder.h"
#include "match_stream.h"
#include "sweepd/client.h"

namespace sweepd::internal {

/// A participant's stream: a join, then frames out; updates in.
///
/// Frames wait in a bounded queue, because gRPC takes one write at a time and a slow connection takes none. When the
/// queue is full, `send` refuses and the game keeps the frame; nothing that was taken is dropped while the stream lives.
class PlayStream final : public MatchStream, private grpc::ClientBidiReactor<v1::PlayRequest, v1::PlayResponse> {
 public:
  PlayStream(Route route, const JoinOptions& options);

  /// Finishes the frame in progress and takes it; kQueueFull leaves it in progress.
  Status send(Tick tick, FrameBuilder* frame);

  /// Frames that `send` took and gRPC has not.
  std::size_t unsent_frames();

  /// Sends what waits, then ends the stream; a server that does not answer to that in time is left anyway.
  void leave();

 private:
  using Request = std::unique_ptr<v1::PlayRequest>;

  void begin_call(Service::Stub* stub, grpc::ClientContext* context) override;
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  bool receive();
  bool receive(const v1::Joined& joined);

  // With mutex_ held.
  std::size_t unsent() const;
  Request take_spare();
  void write_next();
  void stop_writing();
  void release_hold();

  const std::size_t frames_queued_max_;
  v1::PlayResponse response_;
  grpc::Alarm leave_alarm_;

  Request writing_;  ///< gRPC has it.
  std::deque<Request> queued_;
  std::vector<Request> spare_;  ///< Their storage serves the frames to come.
  bool holds_ = false;          ///< gRPC's word for: the call does not end under a write begun outside of its callbacks.
  bool writes_closed_ = false;
  bool leaving_ = false;
};

}  // namespace sweepd::internal
