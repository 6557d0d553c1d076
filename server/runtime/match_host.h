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
#include "runtime/match_id.h"
#include "runtime/step_queue.h"
#include "runtime/subscriber.h"

namespace sweepd::runtime {

enum class MatchState : std::uint8_t { kWaiting, kRunning, kEnded };

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
  ~MatchHost();
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
  void refuse(match::ParticipantNumber number, match::Tick frame_tick, std::string field,
              std::string message);

  /// Runs ticks of a MANUAL clock. The answer may come within the call. `id` is the caller's, for
  /// cancel_step.
  void step(StepId id, const StepRequest& request, StepCallback callback);
  void cancel_step(StepId id) { steps_.cancel(id); }
  void fail_steps(StepError error) { steps_.fail_all(error); }

  /// A subscriber that was behind has caught up.
  void resume_steps();

  /// Ends the match; subscribers get its last tick and match_ended.
  void end();

  const MatchId& id() const { return options_.id; }
  std::int64_t create_time_unix_ms() const { return options_.create_time_unix_ms; }
  const match::Match& match() const { return *match_; }
  MatchState state() const;

 private:
  struct Subscription {
    Subscriber* subscriber = nullptr;  ///< Null: it left while a tick was being delivered.
    std::optional<match::ParticipantNumber> participant;
    match::Tick last_update = 0;
  };

  MatchHost(Loop& loop, std::unique_ptr<match::Match> match, MatchHostOptions options);
  void subscribe(Subscriber& subscriber, std::optional<match::ParticipantNumber> participant);
  void start_clock_if_ready();
  void stop_clock();
  void tick();
  void report(const match::TickOutput& output, bool is_last);
  void remove_those_who_left();
  void run_steps_if_due();
  void schedule_slice();
  void run_slice();
  bool must_wait_for_subscribers();
  void watch_idleness();

  Loop& loop_;
  std::unique_ptr<match::Match> match_;
  MatchHostOptions options_;
  std::vector<Subscription> subscriptions_;
  StepQueue steps_;
  std::optional<TickerId> ticker_;
  boost::asio::steady_timer idle_timer_;
  boost::asio::steady_timer patience_timer_;  ///< How long steps wait for who is behind.
  bool is_patient_ = true;
  bool is_waiting_for_subscribers_ = false;
  bool is_slice_scheduled_ = false;
  bool is_delivering_ = false;
};

}  // namespace sweepd::runtime
