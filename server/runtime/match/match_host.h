// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "match/match.h"
#include "runtime/feed/event_log.h"
#include "runtime/feed/subscriber.h"
#include "runtime/feed/subscription.h"
#include "runtime/journal/match_log.h"
#include "runtime/loop/loop.h"
#include "runtime/loop/loop_timer.h"
#include "runtime/loop/move_choice.h"
#include "runtime/match/end_cause.h"
#include "runtime/match/lives.h"
#include "runtime/match/match_clock.h"
#include "runtime/match/match_id.h"
#include "runtime/match/match_load.h"
#include "runtime/match/match_monitor.h"
#include "runtime/match/seat_records.h"
#include "runtime/match/start_gate.h"
#include "runtime/match/step_queue.h"
#include "runtime/replays/replay_library.h"

namespace sweepd::runtime {

struct MatchHostOptions {
  MatchId id;
  std::int64_t create_time_unix_ms = 0;
  Duration idle_timeout{};           ///< A match that nobody has followed or stepped for so long ends.
  std::function<void()> on_ended{};  ///< Once, when the match has ended. The host must outlive the call.
  std::string nonce = {};            ///< Given to the match when it was created.
  BudgetKey budget_key = {};         ///< Of who created the match.
  Journal* journal = nullptr;        ///< Null: nothing is written down.
  JournalKey journal_key = 0;
  /// Of a match that has come back from the journal.
  struct Return {
    StoredState state = {};
    replay::Cast cast = {};
  };
  std::optional<Return> returned = {};
};

/// A participant's seat, and what it follows the match by.
struct Seating {
  match::Participant participant;
  std::string token;  ///< For taking the seat again.
  Subscription& subscription;
};

/// Drives a match on its loop: gives it time, hands it what comes in, and its subscribers what comes out.
/// May move to another loop between two pieces of the loop's work: so whoever comes back to it later finds it
/// by its id (ResidentMatches, MatchRegistry) and holds no pointer to it, but its subscribers, who move
/// along.
class MatchHost {
 public:
  static std::shared_ptr<MatchHost> create(Loop& loop, std::unique_ptr<match::Match> match,
                                           MatchHostOptions options);
  MatchHost(const MatchHost&) = delete;
  MatchHost& operator=(const MatchHost&) = delete;

  /// Takes a seat in the match and follows it.
  base::Result<Seating, match::JoinError> join(Subscriber& subscriber, const match::Join& request,
                                               SubscriptionOptions options = {});

  /// Takes the seat of that name and token again, from whoever has it now, and follows the match. Nothing:
  /// there is no such seat, or not any more.
  std::optional<Seating> rejoin(Subscriber& subscriber, std::string_view name, std::string_view token,
                                SubscriptionOptions options = {});

  /// The same for a further participant of a subscriber who follows already, and does so for all of them then
  /// (SubscriptionOptions::is_shared). `rejoin_also`: not for one who is his already.
  base::Result<Seating, match::JoinError> join_also(Subscriber& subscriber, const match::Join& request);
  std::optional<Seating> rejoin_also(Subscriber& subscriber, std::string_view name, std::string_view token);

  /// Follows the match without a seat.
  Subscription& watch(Subscriber& subscriber, SubscriptionOptions options = {});

  /// Gives up the seat of one of several participants; the subscriber goes on for the others.
  void leave(Subscriber& subscriber, match::ParticipantNumber number);

  /// Stops following, and gives up the seat if there is one, or all of them.
  void leave(Subscriber& subscriber) { stop_following(subscriber, false); }

  /// Stops following. The seat, if there is one, is kept for a while; so are all of them.
  void break_off(Subscriber& subscriber) { stop_following(subscriber, true); }

  /// Gives up a seat that was kept. Ignored where it has been taken again or given up already.
  void give_up_seat(std::string_view name, std::string_view token);

  /// Tells `sink` what the subscriber has not been told yet. `is_last`: that everything has been told, in any
  /// case.
  void collect(Subscription& subscription, ReportSink& sink, bool is_last = false);

  /// What is wrong with a place to resume at, or nothing. A place that is too old or of another epoch is
  /// right.
  std::optional<match::FieldError> find_error(const ResumePoint& point) const;

  /// What of the things that somebody had seen did not happen, as the server had died; nothing: all of it
  /// did.
  std::optional<Lives::Undone> undone(const ResumePoint& seen) const { return lives_.undone(seen); }
  /// Whether an epoch is of before the server died.
  bool is_former_life(std::uint64_t epoch) const { return lives_.all().size() > 1 && epoch != log_.epoch(); }

  void submit(match::ParticipantNumber number, match::Frame frame);
  void refuse(match::ParticipantNumber number, match::RejectionReason reason, match::Tick frame_tick,
              std::string field, std::string message);

  /// Whether a frame of so many bytes is within its participant's bytes_per_second_max, and takes them if so.
  bool take_bytes(match::ParticipantNumber number, std::uint64_t bytes);

  /// Whether the journal may write more of this match now. Where ticks come by time, frames are refused
  /// otherwise; where they are stepped, steps wait, also for the budget of who created the match.
  bool may_write() const { return writes_.has_room(loop_->now()); }
  std::uint64_t write_bytes_per_second_max() const { return writes_.bytes_per_second(); }

  /// Pauses or resumes the match, or changes its rate. Subscribers are told at once; steps that have not run
  /// to their end fail (kMatchPaused).
  void control_clock(const ClockControl& control);
  /// The same for a participant, which is refused (MAY_NOT_CONTROL) if its role has not the right.
  void control_clock(match::ParticipantNumber number, const ClockControl& control);
  bool may_control_clock(match::ParticipantNumber number) const;

  /// Runs ticks of a MANUAL clock. The answer may come within the call. `id` is the caller's, for
  /// cancel_step.
  void step(StepId id, const StepRequest& request, StepCallback callback);
  void cancel_step(StepId id) { steps_.cancel(id); }
  void fail_steps(StepError error) { steps_.fail_all(error); }

  /// A subscriber that was behind has caught up.
  void resume_ticks();

  /// Ends the match; subscribers get its last tick and match_ended.
  void end(EndCause cause = EndCause::kRequested);
  /// kNone while it has not ended.
  EndCause end_cause() const { return end_cause_; }

  /// Goes on on another loop, the one of that number, as if it had always lived there: ticks are due when
  /// they were due, what waits goes on waiting. See ResidentMatches::move.
  void move_to(Loop& loop, std::size_t number, std::function<void()> on_ended);
  MatchCost cost() const;

  const MatchId& id() const { return options_.id; }
  std::int64_t create_time_unix_ms() const { return options_.create_time_unix_ms; }
  const std::string& nonce() const { return options_.nonce; }
  const BudgetKey& creator() const { return options_.budget_key; }
  const match::Match& match() const { return match_; }
  const EventLog& log() const { return log_; }
  bool is_kept() const { return options_.journal != nullptr; }
  /// What is on disk; 0: nothing, or there is no journal.
  match::Tick durable_tick() const { return journal_.durable_tick(); }
  /// Durable ticks that damage has cost it, in all.
  match::Tick lost_ticks() const { return lives_.lost_ticks(); }
  /// Of what has been written down last, in the journal; 0: nothing, or there is no room for it.
  Journal::Position journal_position() const { return journal_.position(); }
  /// Where the match's replay would end now.
  ReplayPoint replay_point() const;
  MatchState state() const;
  const ClockState& clock() const { return clock_.state(); }
  /// How its ticks keep time, with a REALTIME clock.
  TickTimes tick_times() const { return clock_.timing().times(); }

  /// The update of `tick` is being written to whom this subscription belongs.
  void note_sent(const Subscription& subscription, match::Tick tick);
  /// How far the participant lags, as measured on its stream by what its own frames acknowledge.
  Duration delay_of(match::ParticipantNumber number) const;
  /// The participant as one who claims something now.
  match::Claimant claimant(match::ParticipantNumber number) const;

 private:
  struct Follower {
    Subscriber* subscriber = nullptr;
    std::unique_ptr<Subscription> subscription;  ///< With the participants that are his.
    bool has_left = false;                       ///< While others were being told of a tick.
    bool keeps_seat = false;                     ///< If it has left.
  };

  MatchHost(Loop& loop, std::unique_ptr<match::Match> match, MatchHostOptions options);
  Subscription& follow(Subscriber& subscriber, SubscriptionOptions options,
                       std::optional<match::ParticipantNumber> participant);
  void stop_following(Subscriber& subscriber, bool keeps_seat);
  struct TakenSeat {
    match::ParticipantNumber number = 0;
    std::string token;
  };
  base::Result<TakenSeat, match::JoinError> take_seat(const match::Join& request);
  std::optional<match::ParticipantNumber> take_seat_again(std::string_view name, std::string_view token);
  Subscription::Seat seat_of(match::ParticipantNumber number);
  Subscription& subscription_of(const Subscriber& subscriber);
  Subscription::Own own_of(std::optional<match::ParticipantNumber> participant);
  std::optional<std::uint32_t> delay_ticks_of(match::ParticipantNumber number) const;
  void note_told(const Subscription::Seat& seat);
  void part_with(const Follower& follower);
  void part_with(const Subscription::Seat& seat, bool keeps_seat);
  void replace_stream_of(match::ParticipantNumber number);
  Seating seating(match::ParticipantNumber number, std::string token, Subscription& subscription) const;
  Feed feed() {
    return {match_,         log_,          absences_,      scores_,        claims_,
            clock_.state(), telling_room_, clock_version_, durable_tick(), &loop_->figures()};
  }
  void start_clock_if_ready();
  void wait_timed_out(match::StartTimeout outcome);
  void tick();
  void has_ended(EndCause cause);
  void note_load(TimePoint tick_begin);
  void tick_by_time();
  bool is_tick_due() const;
  void log(const match::TickOutput& output);
  void write_state();
  void come_back();
  void apply_again(const match::Join& join);
  void apply_again(const auto& change) { static_cast<void>(recorder_.apply(change)); }
  MatchLog::Options log_options() const;
  void tell_followers();
  void tell_without_tick();
  void tell_when_durable();
  void tell_what_is_durable();
  void report_refusals_if_paused();
  void trim_log();
  void remove_those_who_left();
  void update_absences();
  void run_ticks_if_due();
  void schedule_slice();
  void run_slice();
  bool must_wait_for_subscribers();
  bool must_wait_for_journal();
  bool is_over_write_budget() const;
  void charge_writes();
  void watch_idleness();

  void begin_stay();

  Loop* loop_;
  /// Itself, owned by nobody, for as long as it stays on its loop. What it asks the loop to do later finds it
  /// by this, and does nothing when it has gone, or gone elsewhere.
  std::shared_ptr<MatchHost> stay_;
  std::optional<TimePoint> last_move_;
  replay::Recorder recorder_;  ///< What changes the match goes through it.
  const match::Match& match_;
  MatchHostOptions options_;
  MatchMonitor monitor_;
  MatchLog journal_;
  WriteBudget writes_;
  std::shared_ptr<WriteBudget> creator_writes_;  ///< Null: no limit.
  EventLog log_;
  Lives lives_;
  SeatRecords seats_;
  TellingRoom telling_room_;
  Absences absences_;
  LatestScores scores_;
  ClaimLog claims_;
  std::vector<Follower> followers_;
  StepQueue steps_;
  StartGate start_gate_;
  MatchClock clock_;
  EndCause end_cause_ = EndCause::kNone;
  MatchLoad load_;
  std::uint64_t clock_version_ = 0;  ///< How often it has changed.
  LoopTimer idle_timer_;
  LoopTimer patience_timer_;  ///< How long ticks that could run wait for who is behind.
  bool is_patient_ = true;
  bool is_waiting_for_subscribers_ = false;
  LoopTimer journal_timer_;  ///< How long ticks that could run wait for the disk.
  bool is_waiting_for_journal_ = false;
  bool is_waiting_for_durable_ = false;
  bool is_slice_scheduled_ = false;
  bool is_delivering_ = false;
};

}  // namespace sweepd::runtime
