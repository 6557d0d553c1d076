// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "frame_builder.h"
#include "match_stream.h"
#include "play_seat.h"
#include "sweepd/client.h"
#include "world_asks.h"

namespace sweepd::internal {

/// A participant's stream: a join, then frames out; updates in. If it is shared, further participants join on
/// it in the order in which they are added, on each call anew.
///
/// Frames wait in a bounded queue, because gRPC takes one write at a time and a slow connection takes none;
/// and while the stream is on its way back. When the queue is full, `send` refuses and the game keeps the
/// frame. Nothing that was taken is dropped while the stream lives, but for what was on its way when it
/// broke.
class PlayStream final : public MatchStream {
 public:
  PlayStream(Network* network, Route route, const JoinOptions& options);

  const std::shared_ptr<PlaySeat>& first_seat() const { return first_seat_; }
  bool is_shared() const { return options_.shared; }

  // From the game's thread.

  /// A participant's frame in progress.
  struct OpenFrame {
    const PlaySeat* seat = nullptr;
    FrameBuilder* frame = nullptr;
  };
  /// Finishes the frame in progress and takes it; kQueueFull leaves it in progress.
  Status send(Tick tick, const OpenFrame& frame);
  /// The same for several, in as few messages as they fit.
  Status send(Tick tick, const std::vector<OpenFrame>& frames);
  /// Behind the frames that `send` took, in the same queue.
  Status send(const ClockControl& control);
  Status send_ticket(const std::string& ticket);
  /// What the stream is told of the world from now on, also when it comes back; unless the server refuses it.
  Status send(const WorldInterest& interest);
  /// Frames that `send` took and that are not on the wire.
  std::size_t unsent_frames();
  /// Only of a shared one.
  void add(const std::shared_ptr<PlaySeat>& seat);
  /// One of several leaves, behind the frames that `send` took.
  void leave(PlaySeat& seat);
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
  bool receive_first(const v1::Joined& response);
  bool receive(const v1::TickUpdate& update);
  void receive(const v1::JoinRefused& refusal);
  bool may_come_back() override;
  Request join_request(const PlaySeat& seat) const;
  Request first_join_request(const PlaySeat& seat);
  static Request leave_request(const PlaySeat& seat);
  void finish_frame(Tick tick, const OpenFrame& open, v1::Frame* out);
  void finish_call(grpc::Status* status, void* finished) override;
  void forget_call() override { call_.reset(); }

  void queue(Request request);
  Status queue_if_room(Request request);
  void post_flush();
  void flush();
  void end_with(bool sends_what_waits);
  void close_writes(std::chrono::milliseconds patience);
  void has_written(bool ok);
  void write_next();
  bool write_join();
  bool take_next();
  PlaySeat* seat_of(std::uint32_t key) const;
  void forget(const PlaySeat* seat);
  void forget_those_gone();
  bool prepare(v1::PlayRequest* request);
  bool prepare(v1::Frame* frame) const;
  bool prepare(v1::Leave* leave);

  // With mutex_ held.
  std::size_t unsent() const;
  Status check_room() const;
  Request take_spare();
  void set_world_pace();
  void ask_for_world_again();

  // The network's thread alone.
  std::unique_ptr<grpc::ClientAsyncReaderWriter<v1::PlayRequest, v1::PlayResponse>> call_;
  v1::PlayResponse response_;
  bool may_write_ = false;
  bool is_seated_ = false;                             ///< On this call: frames may go out.
  std::vector<std::shared_ptr<PlaySeat>> seats_;       ///< That are not done, in the order of adding.
  std::shared_ptr<PlaySeat> caller_;                   ///< Who joins first on this call.
  std::deque<std::shared_ptr<PlaySeat>> to_join_;      ///< Further ones on this call.
  std::deque<std::shared_ptr<PlaySeat>> answers_due_;  ///< Whose joins are out.
  std::uint32_t reconnect_ticks_ = 0;
  bool leaving_ = false;
  Operation write_;

  // The game's thread alone.
  bool leaving_began_ = false;
  std::uint32_t last_key_ = 0;  ///< The first seat's.
  const JoinOptions options_;
  const std::shared_ptr<PlaySeat> first_seat_;
  std::mutex mutex_;  ///< Guards what follows.
  WorldAsks world_;
  Request writing_;  ///< gRPC has it.
  std::deque<Request> queued_;
  std::vector<Request> spare_;  ///< Their storage serves the frames to come.
  bool flush_posted_ = false;
};

}  // namespace sweepd::internal
