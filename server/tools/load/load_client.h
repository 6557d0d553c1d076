// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tools/load/client_behavior.h"
#include "tools/load/load_options.h"
#include "tools/load/load_seat.h"
#include "tools/load/measurements.h"
#include "tools/load/play_stream.h"
#include "tools/load/tick_fit.h"
#include "tools/load/update_reader.h"

namespace sweepd::tools::load {

/// What the clients of a thread share.
struct ClientSurroundings {
  grpc::CompletionQueue& queue;
  ResponseReader& reader;
  Measurements& measurements;
  std::string authorization = {};  ///< Of calls; empty: none.
};

/// What the clients of a match share.
struct MatchSchedule {
  std::string match_id;
  TickFit fit;
  std::uint32_t rate_hz = 0;
  bool has_begun = false;  ///< Before that clients join and send nothing.
  std::uint64_t tick = 0;  ///< The last of which an update has come,
  TimePoint tick_time;     ///< and when.
};

/// One participant, or all of a match that share a stream: joins, then sends a frame of each one's loop
/// whenever it is told to, and takes in what comes. All calls from one thread.
class LoadClient : public StreamListener {
 public:
  struct Part {
    std::vector<LoadSeat::Part> seats;  ///< By ids. One, but of a shared stream.
    bool is_shared = false;             ///< The stream is that of a game server, which plays for all seats.
    std::uint32_t start_tick = 0;       ///< Where in their loops they begin.
    ClientBehavior behavior = ClientBehavior::kGood;  ///< Of a shared stream no other.
    EventsAsked events = EventsAsked::kAll;
    bool asks_for_world = false;
  };
  LoadClient(const ClientSurroundings& surroundings, MatchSchedule& schedule, const Part& part);

  void open(std::shared_ptr<grpc::Channel> channel);
  void close();

  /// Its next frame was due at `due`; it is `now`. Nothing is sent before it has joined and the match
  /// has begun.
  void send(TimePoint due, TimePoint now);

  /// What has waited for the server too long by now counts with that, although it waits.
  void end_measurement(TimePoint now);

  std::uint32_t seats_joined() const { return seats_joined_; }
  bool has_joined() const { return seats_joined_ == seats_.size(); }
  bool misbehaves() const { return behavior_ != ClientBehavior::kGood; }
  bool is_closed() const { return is_closed_; }
  const grpc::Status& error() const { return status_; }

  void on_open() override;
  void on_message(const grpc::ByteBuffer& message) override;
  void on_written() override;
  void on_closed(const grpc::Status& status) override;

 private:
  void join_next();
  void take(const v1::Joined& joined);
  void take(const v1::JoinRefused& refused);
  void send_opening();
  grpc::ByteBuffer opening();
  grpc::ByteBuffer frames() const;
  /// A message of a tick, which is to be sent.
  struct Pending {
    TimePoint due;    ///< By the load's own schedule,
    TimePoint since;  ///< and when it was handed to the stream.
  };
  void send_frame(const Pending& frame);
  /// What a client of its behavior does every second instead of sending its frame. Whether it did anything.
  bool misbehave();
  void open_stream();
  void write(const grpc::ByteBuffer& message);
  void take(const v1::TickUpdate& update);
  void take_events(const v1::TickUpdate& update, TimePoint now);
  void take_world(const v1::TickUpdate& update);
  bool awaits_events() const;
  /// Null: it is no probe's.
  LoadSeat* seat_of_probe(std::uint32_t object);

  ClientSurroundings surroundings_;
  MatchSchedule& schedule_;
  std::vector<LoadSeat> seats_;  ///< In the order in which they join, which is that of their ids.
  const bool is_shared_;
  const ClientBehavior behavior_;
  const EventsAsked events_;
  const bool asks_for_world_;
  const std::uint32_t loop_ticks_;
  std::uint32_t position_;  ///< Of the last frames sent.
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<PlayStream> stream_;
  std::uint32_t sends_ = 0;
  std::uint32_t frames_on_stream_ = 0;
  bool is_breaking_ = false;     ///< It has broken its stream, and comes back when that is over.
  bool is_away_ = false;         ///< That is over.
  std::deque<Pending> waiting_;  ///< What the stream does not take yet.
  std::uint64_t seen_tick_ = 0;
  std::uint32_t seats_asked_ = 0;   ///< For the first so many of the seats a Join was sent,
  std::uint32_t seats_joined_ = 0;  ///< and the first so many have been given.
  bool has_opened_ = false;         ///< It has sent what it has; frames follow.
  bool has_world_ = false;          ///< The first WorldTick of its stream has come.
  bool is_closed_ = false;
  grpc::Status status_;
};

}  // namespace sweepd::tools::load
