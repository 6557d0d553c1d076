// SPDX-License-Identifier: MIT
#include "runtime/match/match_host.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "replay/rules_digest.h"

namespace sweepd::runtime {
namespace {

/// For telling the followers of a tick at once; the rest of them are told after the loop's other work.
constexpr std::chrono::milliseconds kTellingTime{1};

MatchLog::Options log_options(const MatchHostOptions& options, const match::Match& match) {
  MatchLog::Options log{.journal = options.journal, .key = options.journal_key};
  if (options.journal == nullptr) return log;
  if (options.returned) {
    log.cast = options.returned->cast;
    log.clock = options.returned->state.clock;
    log.timeline = options.returned->state.timeline;
    log.holders = options.returned->state.holders;
  } else {
    replay::Creation creation{options.rules, ticket_subject_of(options.budget_key),
                              options.create_time_unix_ms};
    log.origin = MatchOrigin{options.id, options.create_time_unix_ms,
                             replay::head_of(match, options.id, options.nonce, std::move(creation)),
                             options.budget_key};
  }
  return log;
}

/// Once for all: of a large config it takes a while.
MatchHostOptions with_rules_digest(MatchHostOptions options, const match::MatchConfig& config) {
  if (options.rules.digest.empty()) options.rules.digest = replay::rules_digest(config);
  return options;
}

}  // namespace

std::shared_ptr<MatchHost> MatchHost::create(Loop& loop, std::unique_ptr<match::Match> match,
                                             MatchHostOptions options) {
  std::shared_ptr<MatchHost> host(new MatchHost(loop, std::move(match), std::move(options)));
  host->begin();
  return host;
}

MatchHost::MatchHost(Loop& loop, std::unique_ptr<match::Match> match, MatchHostOptions options)
    : loop_(&loop),
      recorder_(std::move(match), options.journal == nullptr ? replay::Recorder::Keeps::kNothing
                                                             : replay::Recorder::Keeps::kTicks),
      match_(recorder_.match()),
      options_(with_rules_digest(std::move(options), match_.config())),
      monitor_(loop.figures(), match_, options_.id),
      journal_(recorder_, log_options(options_, match_)),
      writes_(options_.journal, options_.creator, match_.config().clock),
      rows_(match_.config()),
      durability_(loop, options_.journal, [this] { tell_what_is_durable(); }),
      log_({.retained_ticks = match_.config().retained_ticks}, match_),
      world_(match_),
      seats_(recorder_, claims_, monitor_),
      start_gate_(loop, match_),
      clock_(
          loop, match_.config(), [this] { tick_by_time(); }, [this] { followers_.tell_due(); }),
      pacer_(loop, match_, clock_,
             {.run_tick = [this] { tick(); },
              .are_all_told = [this] { return !is_rest_posted_; },
              .is_any_subscriber_behind = [this] { return followers_.is_any_behind(); },
              .is_journal_full = [this] { return is_journal_full(); }}),
      idle_timer_(loop) {
  if (options_.returned) lives_ = options_.returned->state.lives;
  const match::Tick before = options_.returned ? options_.returned->state.durable_tick_before : 0;
  const match::Tick lost = std::max(before, match_.tick()) - match_.tick();
  if (!match_.config().visibility.empty() || match_.config().observer_delay_ticks > 0) sight_.emplace(match_);
  recorder_.set_observer(&world_);
  lives_.begin({log_.epoch(), match_.tick(), match_.last_sequence_number(), lost});
}

void MatchHost::begin() {
  const bool is_back = options_.returned.has_value();
  start_gate_.begin(is_back, [this](match::StartTimeout outcome) { wait_timed_out(outcome); });
  if (is_back) come_back();
  write_state();
  watch_idleness();
  start_clock_if_ready();
  monitor_.began(state(), is_back);
}

/// No stream has outlived the server; their participants may come back to their seats.
void MatchHost::come_back() {
  const StoredState& state = options_.returned->state;
  clock_.control({state.clock.is_paused, state.clock.tick_rate_hz});
  seats_.restore(state);
  if (sight_) sight_.emplace(match_);  // Seats may have other holders now.
  update_absences();
}

void MatchHost::write_state() {
  if (options_.journal != nullptr) {
    writes_.divide(match_.participants());
    journal_.write_state(
        {.clock = clock_.state(), .lives = lives_, .tokens = seats_.tokens(), .owners = seats_.owners()});
    if (journal_.position() == 0) return;
  }
  seats_.note_written(journal_.position());
}

ReplayPoint MatchHost::replay_point() const {
  return {.ending = journal_.ending(replay::EndReason::kStillRunning),
          .position = journal_.position(),
          .is_whole = !journal_.has_lost_ticks()};
}

std::optional<match::FieldError> MatchHost::find_error(const ResumePoint& point) const {
  const std::uint64_t last = log_.last_sequence_number();
  if (point.epoch != log_.epoch() || point.last_sequence_number <= last) return std::nullopt;
  return match::FieldError{"last_sequence_number", "is " + std::to_string(point.last_sequence_number) +
                                                       "; the last of this epoch is " + std::to_string(last)};
}

void MatchHost::control_clock(const ClockControl& control) {
  SWEEPD_ASSERT(!followers_.is_telling() && !match_.ended());
  if (!clock_.control(control)) return;
  if (clock_.state().is_paused) pacer_.fail_steps(StepError::kMatchPaused);
  ++clock_version_;
  monitor_.note_state(state());
  write_state();
  tell_without_tick();
  if (clock_.state().is_paused) tell_when_durable();
  pacer_.run_ticks_if_due();
}

MatchState MatchHost::state() const {
  if (match_.ended()) return MatchState::kEnded;
  if (clock_.state().is_paused) return MatchState::kPaused;
  const bool can_wait = match_.config().clock != match::ClockKind::kManual;
  return can_wait && !clock_.has_started() ? MatchState::kWaiting : MatchState::kRunning;
}

void MatchHost::start_clock_if_ready() {
  const bool has_clock = match_.config().clock != match::ClockKind::kManual;
  if (!has_clock || clock_.has_started() || match_.ended() || !start_gate_.is_open()) return;
  start_gate_.cancel();
  clock_.start();
  monitor_.note_state(state());
}

void MatchHost::wait_timed_out(match::StartTimeout outcome) {
  monitor_.waited_in_vain(outcome);
  if (outcome == match::StartTimeout::kEndMatch) return end(EndCause::kStartTimeout);
  start_clock_if_ready();
  pacer_.run_ticks_if_due();
}

void MatchHost::tick() {
  const TimePoint begin = loop_->now();
  TickTimer timer(loop_->figures(), loop_->clock());
  const match::TickOutput& output = recorder_.step();
  timer.enter(TickPhase::kJournal);
  journal_.write_tick();
  take(output);
  writes_.take(journal_.take_written_bytes(), loop_->now());
  timer.enter(TickPhase::kTell);
  if (match_.ended()) return has_ended(cause_of(match_.excess()));
  if (sight_ && sight_->is_over_budget()) return end(EndCause::kTests);
  tell_followers();
  trim_log();
  clock_.tick_has_run();
  if (match_.config().clock != match::ClockKind::kRealtime) tell_when_durable();
  note_load(begin);
}

void MatchHost::note_load(TimePoint tick_begin) {
  if (!load_.took(tick_begin, loop_->now())) return;
  const LoopLoad& loop = loop_->load();
  if (!load_.is_too_much(loop.limits(), loop.reading().is_overloaded)) return;
  // As a request would, between two ticks.
  loop_->post(posts_.bind([this] {
    if (!match_.ended()) end(EndCause::kCpuTime);
  }));
}

void MatchHost::tick_by_time() {
  loop_->figures().lateness.observe(loop_->now() - loop_->ticks().running().due);
  tick();
  pacer_.run_ticks_if_due();  // In LOCKSTEP, the frames for the next ones may be in.
}

void MatchHost::take(const match::TickOutput& output) {
  log_.append(output);
  if (sight_) sight_->take(output);
  if (!match_.ended()) world_.tick_has_run();
  monitor_.took(output);
  seats_.take(output);
  scores_.take(output);
  claims_.take(output, sight_ ? &*sight_ : nullptr);
  if (seats_.absences().numbers.empty()) return;
  seats_.remove_vacant();  // Some may have been kept for long enough.
  update_absences();
}

void MatchHost::tell_followers() { told_followers(followers_.tell_tick(telling_time())); }

void MatchHost::tell_rest_of_followers() {
  is_rest_posted_ = false;
  if (match_.ended()) return;
  const TimePoint begin = loop_->now();
  told_followers(followers_.tell_rest(telling_time()));
  note_load(begin);
  if (is_rest_posted_) return;
  trim_log();
  pacer_.run_ticks_if_due();
}

// A thousand watchers of a match, or many players of a tick of many events, would hold the other matches of
// the loop up.
Followers::HasTime MatchHost::telling_time() const {
  return [this, end = loop_->now() + kTellingTime] { return loop_->now() < end; };
}

void MatchHost::told_followers(bool all) {
  remove_those_who_left();
  if (all || match_.ended() || std::exchange(is_rest_posted_, true)) return;
  loop_->post(posts_.bind([this] { tell_rest_of_followers(); }));
}

void MatchHost::tell_without_tick() {
  const match::TickOutput& refusals = recorder_.report_refusals();
  monitor_.took_refusals(refusals);
  seats_.take(refusals);
  tell_followers();
}

/// In real time the next update tells it. Otherwise the next may be long in coming.
void MatchHost::tell_when_durable() {
  const bool is_needed = journal_.position() != 0 && !followers_.empty() && !match_.ended();
  if (is_needed) durability_.watch(journal_.position());
}

void MatchHost::tell_what_is_durable() {
  if (match_.ended()) return;
  tell_followers();
  // What has come since: in time. A disk that takes nothing is asked again by the next tick.
  const bool is_behind = durable_tick() < match_.tick();
  if (is_behind && !options_.journal->is_failing()) tell_when_durable();
}

void MatchHost::trim_log() {
  log_.trim(followers_.told_to_all(log_.last_tick()));
  if (sight_) sight_->forget(log_.forgotten_sequence_number(), log_.forgotten_tick());
  monitor_.note_kept({.events = log_.size(),
                      .frames_waiting = match_.frames_waiting(),
                      .sight_bytes = sight_ ? sight_->bytes() : 0});
}

void MatchHost::collect(Subscription& subscription, ReportSink& sink, bool is_last) {
  subscription.collect(feed(), sink, is_last);
}

void MatchHost::step(StepId id, const StepRequest& request, StepCallback callback) {
  if (const auto error = pacer_.find_step_error()) return callback(*error);
  if (followers_.empty()) watch_idleness();
  pacer_.step(id, request, std::move(callback));
}

void MatchHost::end(EndCause cause) {
  SWEEPD_ASSERT(!followers_.is_telling() && !match_.ended());
  const match::TickOutput& output = recorder_.end();
  journal_.write_tick();
  take(output);
  has_ended(cause);
}

void MatchHost::has_ended(EndCause cause) {
  end_cause_ = cause;
  clock_.stop();
  start_gate_.cancel();
  pacer_.end();
  idle_timer_.cancel();
  followers_.tell_over();
  tell_end();
  monitor_.ended(cause);
  options_.on_ended();
}

/// Nothing else keeps the host of a match that is over.
void MatchHost::tell_end() {
  if (followers_.tell_end(*this, telling_time())) return;
  loop_->post([self = shared_from_this()] { self->tell_end(); });
}

void MatchHost::move_to(Loop& loop, std::size_t number, std::function<void()> on_ended) {
  SWEEPD_ASSERT(!followers_.is_telling() && !match_.ended());
  posts_.revoke();
  const bool has_rest = std::exchange(is_rest_posted_, false);
  loop_ = &loop;
  last_move_ = loop.now();
  options_.on_ended = std::move(on_ended);
  clock_.move_to(loop);
  start_gate_.move_to(loop);
  monitor_.move_to(loop.figures());
  idle_timer_.move_to(loop);
  followers_.tell_move(number);
  pacer_.move_to(loop);
  if (durability_.move_to(loop)) tell_when_durable();
  if (has_rest) told_followers(false);
}

MatchCost MatchHost::cost() const {
  const bool is_realtime = match_.config().clock == match::ClockKind::kRealtime;
  return {.id = id(),
          .busy_ratio = state() != MatchState::kRunning ? 0
                        : is_realtime                   ? clock_.timing().busy_ratio()
                                                        : load_.busy_ratio(),
          .is_resting = last_move_ && loop_->now() - *last_move_ < kMoveRest};
}

}  // namespace sweepd::runtime
