// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "match/match.h"
#include "runtime/loop.h"
#include "runtime/subscriber.h"

namespace sweepd::runtime {

enum class StepOutcome { kDone, kMatchEnded, kCancelled };

/// A match on its loop: drives its ticks and tells its subscribers. All calls on the loop's thread, but for the
/// constant `match_id`, `loop` and `create_time_unix_ms`.
class MatchHost : public Ticking, public std::enable_shared_from_this<MatchHost> {
 public:
  struct Options {
    std::string match_id;
    std::int64_t create_time_unix_ms = 0;
    std::chrono::seconds idle_timeout{300};  ///< A match without subscribers ends after this.
  };

  MatchHost(Loop& loop, std::unique_ptr<match::Match> match, Options options, std::function<void()> on_end);
  ~MatchHost() override;

  const std::string& match_id() const { return options_.match_id; }
  Loop& loop() const { return loop_; }
  std::int64_t create_time_unix_ms() const { return options_.create_time_unix_ms; }

  /// Begins the match's life on its loop.
  void open();
  const match::Match& match() const { return *match_; }
  bool clock_runs() const { return clock_runs_; }

  base::Result<match::Participant, match::JoinError> join(const match::JoinRequest& request);
  void leave(match::ParticipantNumber number);
  void submit(match::ParticipantNumber number, match::Frame frame);
  void refuse(match::ParticipantNumber number, match::Tick frame_tick, std::string field, std::string message);

  /// `participant`: whose rejections it gets; none for a watcher.
  void subscribe(Subscriber& subscriber, std::optional<match::ParticipantNumber> participant);
  void unsubscribe(const Subscriber& subscriber);

  bool is_stepping() const { return step_.has_value(); }
  /// Runs `ticks` ticks, each with `wait_for_frames` once every player and stage has sent a frame for it; then calls
  /// `done`, at the latest when the match ends or `cancel_step` is called. Not while another step is under way.
  void step(std::uint32_t ticks, bool wait_for_frames, const void* requester,
            std::function<void(StepOutcome)> done);
  /// Ends the step under way, if it is the requester's.
  void cancel_step(const void* requester);

  /// Runs the last tick and tells everybody. Nothing but reading may follow.
  void end();

  void run_tick() override;

 private:
  struct Subscription {
    Subscriber* subscriber;  // Null: unsubscribed during a round of calls.
    std::optional<match::ParticipantNumber> participant;
    match::Tick told_tick = 0;
  };
  struct Step {
    std::uint32_t ticks_left;
    bool wait_for_frames;
    const void* requester;
    std::function<void(StepOutcome)> done;
  };

  void tell(const match::TickOutput& output);
  void tell_one(Subscription& subscription, const match::TickOutput& output);
  void start_clock_when_ready();
  void advance_step();
  void finish_step(StepOutcome outcome);
  void sweep_subscriptions();
  void watch_for_idleness();

  Loop& loop_;
  const std::unique_ptr<match::Match> match_;
  const Options options_;
  std::function<void()> on_end_;
  std::vector<Subscription> subscriptions_;
  std::optional<Step> step_;
  boost::asio::steady_timer idle_timer_;
  bool clock_runs_ = false;
  bool telling_ = false;
  bool step_is_posted_ = false;
};

}  // namespace sweepd::runtime
