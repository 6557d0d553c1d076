// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "app/sweepctl/load/client_loop.h"
#include "app/sweepctl/load/load_options.h"
#include "app/sweepctl/load/manners.h"
#include "app/sweepctl/load/measurements.h"
#include "app/sweepctl/load/play_stream.h"
#include "app/sweepctl/load/probe.h"
#include "app/sweepctl/load/tick_fit.h"
#include "app/sweepctl/load/update_reader.h"

namespace sweepd::app::load {

/// What the clients of a thread share.
struct ClientSurroundings {
  grpc::CompletionQueue& queue;
  ResponseReader& reader;
  Measurements& measurements;
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

/// One participant: joins, then sends a frame of its loop whenever it is told to, and takes in what comes.
/// All calls from one thread.
class LoadClient : public StreamListener {
 public:
  struct Part {
    const ClientLoop* loop = nullptr;
    std::string name;
    std::uint32_t start_tick = 0;  ///< Where in its loop it begins.
    Manners manners = Manners::kGood;
    EventsAsked events = EventsAsked::kAll;
  };
  LoadClient(const ClientSurroundings& surroundings, MatchSchedule& schedule, Part part);

  void open(std::shared_ptr<grpc::Channel> channel);
  void close();

  /// Its next frame was due at `due`; it is `now`. Nothing is sent before it has joined and the match
  /// has begun.
  void send(TimePoint due, TimePoint now);

  /// What has waited for the server too long by now counts with that, although it waits.
  void end_measurement(TimePoint now);

  bool has_joined() const { return has_joined_; }
  bool misbehaves() const { return manners_ != Manners::kGood; }
  bool is_closed() const { return is_closed_; }
  const grpc::Status& error() const { return status_; }

  void on_open() override;
  void on_message(const grpc::ByteBuffer& message) override;
  void on_written() override;
  void on_closed(const grpc::Status& status) override;

 private:
  void send_opening();
  /// A frame that is to be sent.
  struct Pending {
    TimePoint due;    ///< By the load's own schedule,
    TimePoint since;  ///< and when it was handed to the stream.
  };
  void send_frame(const Pending& frame);
  /// What a client of its manners does every second instead of sending its frame. Whether it did anything.
  bool misbehave();
  void open_stream();
  void write(const grpc::ByteBuffer& message);
  void take(const v1::TickUpdate& update);
  void take_events(const v1::TickUpdate& update, TimePoint now);

  ClientSurroundings surroundings_;
  MatchSchedule& schedule_;
  const ClientLoop& loop_;
  const std::string name_;
  const Manners manners_;
  const EventsAsked events_;
  std::uint32_t position_;  ///< Of the last frame sent.
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<PlayStream> stream_;
  std::string token_;       ///< With which it can come back.
  std::string next_token_;  ///< Of the Joined that has come last.
  std::uint32_t sends_ = 0;
  std::uint32_t frames_on_stream_ = 0;
  bool is_breaking_ = false;  ///< It has broken its stream, and comes back when that is over.
  bool is_away_ = false;      ///< That is over.
  Probe probe_;
  std::deque<Pending> waiting_;  ///< Frames that the stream does not take yet.
  std::uint64_t seen_tick_ = 0;
  bool has_joined_ = false;
  bool has_opened_ = false;  ///< It has sent what it has; frames follow.
  bool is_closed_ = false;
  grpc::Status status_;
};

}  // namespace sweepd::app::load
