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
#include "runtime/feed/world/world_feed.h"
#include "runtime/journal/durability_watch.h"
#include "runtime/journal/match_log.h"
#include "runtime/journal/match_write_budget.h"
#include "runtime/loop/callback_guard.h"
#include "runtime/loop/loop.h"
#include "runtime/loop/loop_timer.h"
#include "runtime/loop/move_choice.h"
#include "runtime/match/end_cause.h"
#include "runtime/match/followers.h"
#include "runtime/match/lives.h"
#include "runtime/match/match_clock.h"
#include "runtime/match/match_id.h"
#include "runtime/match/match_load.h"
#include "runtime/match/match_monitor.h"
#include "runtime/match/seat_desk.h"
#include "runtime/match/start_gate.h"
#include "runtime/match/tick_pacer.h"
#include "runtime/match/tick_rows.h"
#include "runtime/replays/replay_library.h"

namespace sweepd::runtime {

struct MatchHostOptions {
  MatchId id;
  std::int64_t create_time_unix_ms = 0;
  Duration idle_timeout{};           ///< A match without subscribers and steps for so long ends.
  std::function<void()> on_ended{};  ///< Once, when the match has ended. The host must outlive the call.
  std::string nonce = {};            ///< Given to the match when it was created.
  replay::MatchRules rules = {};
  BudgetKey budget_key = {};   ///< Of the match's creator.
  Payers creator = {};         ///< Pays for what is written of its steps.
  Journal* journal = nullptr;  ///< Null: nothing is written down.
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
  std::string token;  ///< For taking the seat again, once.
  Subscription& subscription;
};

/// A match on its loop: wires its clock and its pacer, which say when a tick runs, its seats, its subscribers
/// and its journal. It may move to another loop between two pieces of the loop's work: so its id is what is
/// kept of it (ResidentMatches, MatchRegistry find it); pointers to it are for its subscribers, which move
/// along.
class MatchHost : public std::enable_shared_from_this<MatchHost> {
 public:
  static std::shared_ptr<MatchHost> create(Loop& loop, std::unique_ptr<match::Match> match,
                                           MatchHostOptions options);
  MatchHost(const MatchHost&) = delete;
  MatchHost& operator=(const MatchHost&) = delete;

  // `owner`: the only one that may take the seat again; empty: any with its token.

  /// Takes a seat in the match and follows it.
  base::Result<Seating, match::JoinError> join(Subscriber& subscriber, const match::Join& request,
                                               SubscriptionOptions options = {}, const BudgetKey& owner = {});

  /// Takes the seat of that name and token again, from the stream that has it now, and follows the match. The
  /// token is good until a frame has come (`submit`).
  /// Nothing: there is no such seat, or not any more.
  std::optional<Seating> rejoin(Subscriber& subscriber, std::string_view name, std::string_view token,
                                SubscriptionOptions options = {}, const BudgetKey& owner = {});

  /// The same for a further participant of a subscriber that follows already, and then does so for all of
  /// them (SubscriptionOptions::is_shared). `rejoin_also`: not for a participant that is on this stream.
  base::Result<Seating, match::JoinError> join_also(Subscriber& subscriber, const match::Join& request,
                                                    const BudgetKey& owner = {});
  std::optional<Seating> rejoin_also(Subscriber& subscriber, std::string_view name, std::string_view token,
                                     const BudgetKey& owner = {});

  /// Follows the match without a seat.
  Subscription& watch(Subscriber& subscriber, SubscriptionOptions options = {});

  /// Gives up the seat of one of several participants; the subscriber goes on for the others.
  void leave(Subscriber& subscriber, match::ParticipantNumber number) {
    stop_following(subscriber, number, false);
  }
  /// The same, and the seat is kept for a while.
  void break_off(Subscriber& subscriber, match::ParticipantNumber number) {
    stop_following(subscriber, number, true);
  }

  /// Stops following, and gives up the seat if there is one, or all of them.
  void leave(Subscriber& subscriber) { stop_following(subscriber, false); }

  /// Stops following. The seat, if there is one, is kept for a while; so are all of them.
  void break_off(Subscriber& subscriber) { stop_following(subscriber, true); }

  /// How many seats of the role the owner has, and whose seat one is.
  std::size_t seats_of(const BudgetKey& owner, match::Role role) const {
    return seats_.count_of(owner, role);
  }
  const BudgetKey& owner_of(match::ParticipantNumber number) const { return seats_.owner_of(number); }

  /// Of a match that is over: the subscriber need not be told the end.
  void forget(const Subscriber& subscriber) { followers_.remove(subscriber); }

  /// Gives up a seat that was kept. Ignored where it has been taken again or given up already.
  void give_up_seat(std::string_view name, std::string_view token, const BudgetKey& owner = {});

  /// What the seat takes of its holder's budgets goes back when it is vacant.
  void keep_with_seat(match::ParticipantNumber number, Budgets::Share share) {
    seats_.keep(number, std::move(share));
  }
  /// Not of a seat that has come back from the journal.
  bool is_paid(match::ParticipantNumber number) const { return seats_.is_paid(number); }

  /// Tells `sink` what the subscriber has not been told yet. `is_last`: that everything has been told, in any
  /// case.
  void collect(Subscription& subscription, ReportSink& sink, bool is_last = false);

  /// What is wrong with a place to resume at, or nothing. A place that is too old or of another epoch is
  /// right.
  std::optional<match::FieldError> find_error(const ResumePoint& point) const;

  /// What of the things that a subscriber had seen did not happen, as the server had died; nothing: all of
  /// it did.
  std::optional<Lives::Undone> undone(const ResumePoint& seen) const { return lives_.undone(seen); }
  /// Whether an epoch is of before the server died.
  bool is_former_life(std::uint64_t epoch) const { return lives_.all().size() > 1 && epoch != log_.epoch(); }

  /// `waited`: for how long the frame had been here before it was read, which is no part of its sender's
  /// delay.
  void submit(match::ParticipantNumber number, match::Frame frame, Duration waited = {});
  void refuse(match::ParticipantNumber number, match::RejectionReason reason, match::Tick frame_tick,
              std::string field, std::string message, std::optional<match::BrokenRule> broken_rule = {});

  /// Whether a frame of so many bytes is within its participant's bytes_per_second_max, and takes them if so.
  bool take_bytes(match::ParticipantNumber number, std::uint64_t bytes) {
    return seats_.take_bytes(number, bytes, loop_->now());
  }

  /// Whether the journal may write more of this match now, or of the participant's share of it. Where ticks
  /// come by time, frames are refused otherwise; where they are stepped, steps wait, also for the budget of
  /// the match's creator.
  bool may_write(match::ParticipantNumber number) { return writes_.has_room_of(number, loop_->now()); }
  /// Of a frame that is about to be submitted.
  void note_sent_bytes(match::ParticipantNumber number, std::uint64_t bytes) {
    writes_.note_sent(number, bytes);
  }
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
  void cancel_step(StepId id) { pacer_.cancel_step(id); }
  void fail_steps(StepError error) { pacer_.fail_steps(error); }

  /// A subscriber that was behind has caught up.
  void resume_ticks() { pacer_.resume_ticks(); }

  /// Ends the match; subscribers are told that it is over, and each, some at a time, its last tick and
  /// match_ended.
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
  /// With their digest.
  const replay::MatchRules& rules() const { return options_.rules; }
  const BudgetKey& creator() const { return options_.budget_key; }
  const match::Match& match() const { return match_; }
  const EventLog& log() const { return log_; }
  const SightLog* sight() const { return sight_ ? &*sight_ : nullptr; }  ///< Null: all see all.
  const WorldFeed& world() const { return world_; }
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

  /// The update of `tick` is being written to this subscription's subscriber.
  void note_sent(const Subscription& subscription, match::Tick tick) {
    seats_.note_sent(subscription, tick, loop_->now());
  }
  /// How far the participant lags, as measured on its stream by what its own frames acknowledge.
  Duration delay_of(match::ParticipantNumber number) const { return seats_.delay_of(number); }
  /// The participant as the author of a claim that is made now.
  match::Claimant claimant(match::ParticipantNumber number) const;
  /// Whether so many of its claims may be asked about now; takes them if so.
  bool take_asked_claims(match::ParticipantNumber number, std::uint64_t claims) {
    return seats_.take_asked_claims(number, claims, loop_->now());
  }

 private:
  MatchHost(Loop& loop, std::unique_ptr<match::Match> match, MatchHostOptions options);
  void begin();
  void come_back();

  // Seats and subscribers.
  Subscription& follow(Subscriber& subscriber, SubscriptionOptions options,
                       std::optional<match::ParticipantNumber> participant);
  void stop_following(Subscriber& subscriber, bool keeps_seat);
  void stop_following(Subscriber& subscriber, match::ParticipantNumber number, bool keeps_seat);
  void remove_those_who_left();
  base::Result<SeatDesk::TakenSeat, match::JoinError> take_seat(const match::Join& request,
                                                                const BudgetKey& owner);
  std::optional<SeatDesk::TakenSeat> take_seat_again(std::string_view name, std::string_view token,
                                                     const BudgetKey& owner);
  void part_with(const Subscription::Seat& seat, bool keeps_seat);
  Seating seating(match::ParticipantNumber number, std::string token, Subscription& subscription) const;
  void update_absences();
  void watch_idleness();

  void drop_excess_messages(match::ParticipantNumber number, match::Frame& frame);
  std::optional<std::string> find_excess(match::ParticipantNumber number, std::size_t index,
                                         const match::AppMessage& message);

  // Ticks.
  void start_clock_if_ready();
  /// Whether the frame has been refused, as it brings too much for its tick.
  bool refuse_rows(match::ParticipantNumber number, const match::Frame& frame);
  void wait_timed_out(match::StartTimeout outcome);
  void tick();
  void tick_by_time();
  void take(const match::TickOutput& output);
  void note_load(TimePoint tick_begin);
  void has_ended(EndCause cause);
  void tell_end();

  // What subscribers are told, and what is written down.
  Feed feed() {
    return {match_,        log_,           seats_.absences(), scores_,           claims_, clock_.state(),
            telling_room_, clock_version_, durable_tick(),    &loop_->figures(), sight(), &world_};
  }
  void tell_followers();
  void tell_rest_of_followers();
  void told_followers(bool all);
  Followers::HasTime telling_time() const;
  void tell_without_tick();
  void report_refusals_if_paused();
  void tell_when_durable();
  void tell_what_is_durable();
  void trim_log();
  void write_state();
  bool is_journal_full() const { return journal_.is_crowded() || !writes_.has_room(loop_->now()); }

  Loop* loop_;
  CallbackGuard posts_;  ///< To this loop.
  std::optional<TimePoint> last_move_;
  replay::Recorder recorder_;  ///< What changes the match goes through it.
  const match::Match& match_;
  MatchHostOptions options_;
  MatchMonitor monitor_;
  MatchLog journal_;
  MatchWriteBudget writes_;
  TickRows rows_;
  DurabilityWatch durability_;
  EventLog log_;
  std::optional<SightLog> sight_;  ///< Absent: all see all.
  WorldFeed world_;
  Lives lives_;
  ReportBuffers telling_room_;
  LatestScores scores_;
  ClaimLog claims_;
  SeatDesk seats_;
  Followers followers_;
  bool is_rest_posted_ = false;  ///< Followers are yet to be told.
  StartGate start_gate_;
  MatchClock clock_;
  std::uint64_t clock_version_ = 0;  ///< How often it has changed.
  TickPacer pacer_;
  MatchLoad load_;
  LoopTimer idle_timer_;
  EndCause end_cause_ = EndCause::kNone;
};

}  // namespace sweepd::runtime
