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
#include "runtime/match_clock.h"
#include "runtime/match_id.h"
#include "runtime/step_queue.h"
#include "runtime/subscriber.h"

namespace sweepd::runtime {

enum class MatchState : std::uint8_t { kWaiting, kRunning, kPaused, kEnded };

struct MatchHostOptions {
  MatchId id;
  std::int64_t create_time_unix_ms = 0;
  Duration idle_timeout;           ///< A match that nobody has followed or stepped for so long ends.
  std::function<void()> on_ended;  ///< Once, when the match has ended. The host must outlive the call.
};

/// Drives a match on its loop: gives it time, hands it what comes in, and its subscribers what comes out.
/// Lives in a shared_ptr, so that timers and slices can tell whether it still is there.
class MatchHost : public std::enable_shared_from_this<MatchHost> {
 public:
  static std::shared_ptr<MatchHost> create(Loop& loop, std::unique_ptr<match::Match> match,
                                           MatchHostOptions options);
  MatchHost(const MatchHost&) = delete;
  MatchHost& operator=(const MatchHost&) = delete;

  /// Takes a seat in the match and follows it.
  base::Result<match::Participant, match::JoinError> join(Subscriber& subscriber,
                                                          const match::JoinRequest& request);

  /// Follows the match without a seat.
  void watch(Subscriber& subscriber);

  /// Stops following, and gives up the seat if there is one.
  void leave(Subscriber& subscriber);

  void submit(match::ParticipantNumber number, match::Frame frame);
  void refuse(match::ParticipantNumber number, match::RejectionReason reason, match::Tick frame_tick,
              std::string field, std::string message);

  /// Pauses or resumes the match, or changes its rate. Subscribers are told at once; steps that have not run
  /// to their end fail (kMatchPaused).
  void control_clock(const ClockControl& control);
  /// The same for a participant, which is refused (MAY_NOT_CONTROL) if its role has not the right.
  void control_clock(match::ParticipantNumber number, const ClockControl& control);

  /// Runs ticks of a MANUAL clock. The answer may come within the call. `id` is the caller's, for
  /// cancel_step.
  void step(StepId id, const StepRequest& request, StepCallback callback);
  void cancel_step(StepId id) { steps_.cancel(id); }
  void fail_steps(StepError error) { steps_.fail_all(error); }

  /// A subscriber that was behind has caught up.
  void resume_ticks();

  /// Ends the match; subscribers get its last tick and match_ended.
  void end();

  const MatchId& id() const { return options_.id; }
  std::int64_t create_time_unix_ms() const { return options_.create_time_unix_ms; }
  const match::Match& match() const { return *match_; }
  MatchState state() const;
  const ClockState& clock() const { return clock_.state(); }

 private:
  struct Subscription {
    Subscriber* subscriber = nullptr;  ///< Null: it left while a tick was being delivered.
    std::optional<match::ParticipantNumber> participant;
    match::Tick last_update = 0;
  };

  MatchHost(Loop& loop, std::unique_ptr<match::Match> match, MatchHostOptions options);
  void subscribe(Subscriber& subscriber, std::optional<match::ParticipantNumber> participant);
  void start_clock_if_ready();
  void tick();
  void tick_by_time();
  bool is_tick_due() const;
  void report(const match::TickOutput& output, bool is_last, std::optional<ClockState> clock = {});
  void report_refusals_if_paused();
  void remove_those_who_left();
  void run_ticks_if_due();
  void schedule_slice();
  void run_slice();
  bool must_wait_for_subscribers();
  void watch_idleness();

  Loop& loop_;
  std::unique_ptr<match::Match> match_;
  MatchHostOptions options_;
  std::vector<Subscription> subscriptions_;
  StepQueue steps_;
  MatchClock clock_;
  boost::asio::steady_timer idle_timer_;
  boost::asio::steady_timer patience_timer_;  ///< How long ticks that could run wait for who is behind.
  bool is_patient_ = true;
  bool is_waiting_for_subscribers_ = false;
  bool is_slice_scheduled_ = false;
  bool is_delivering_ = false;
};

}  // namespace sweepd::runtime
