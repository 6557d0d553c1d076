// SPDX-License-Identifier: MIT
#include "runtime/match/match_host.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

// Many ticks that can run at once, as in a long step, share the loop with matches whose ticks are due.
constexpr Duration kSliceDuration = std::chrono::milliseconds(1);
constexpr int kSliceTicksMax = 256;

// Such ticks can run faster than anybody reads. They wait for their readers, but not for ever for one that
// has stopped.
constexpr Duration kPatience = std::chrono::seconds(1);

// They can run faster than the disk takes them, too.
constexpr Duration kJournalPause = std::chrono::milliseconds(5);

}  // namespace

std::shared_ptr<MatchHost> MatchHost::create(Loop& loop, std::unique_ptr<match::Match> match,
                                             MatchHostOptions options) {
  std::shared_ptr<MatchHost> host(new MatchHost(loop, std::move(match), std::move(options)));
  host->start_gate_.begin(
      host->options_.returned.has_value(),
      [host = host.get()](match::StartTimeout outcome) { host->wait_timed_out(outcome); });
  if (host->options_.returned) host->come_back();
  host->write_state();
  host->watch_idleness();
  host->start_clock_if_ready();
  host->monitor_.began(host->state(), host->options_.returned.has_value());
  return host;
}

MatchHost::MatchHost(Loop& loop, std::unique_ptr<match::Match> match, MatchHostOptions options)
    : loop_(&loop),
      recorder_(std::move(match), options.journal == nullptr ? replay::Recorder::Keeps::kNothing
                                                             : replay::Recorder::Keeps::kTicks),
      match_(recorder_.match()),
      options_(std::move(options)),
      monitor_(loop.figures(), match_, options_.id),
      journal_(recorder_, log_options()),
      writes_(options_.journal == nullptr ? 0 : options_.journal->match_bytes_per_second()),
      creator_writes_(options_.journal == nullptr ? nullptr
                                                  : options_.journal->budget_of(options_.budget_key)),
      log_({.retained_ticks = match_.config().retained_ticks}, match_),
      start_gate_(loop, match_),
      clock_(loop, match_.config(), [this] { tick_by_time(); }),
      idle_timer_(loop),
      patience_timer_(loop),
      journal_timer_(loop) {
  begin_stay();
  if (options_.returned) lives_ = options_.returned->state.lives;
  const match::Tick before = options_.returned ? options_.returned->state.durable_tick_before : 0;
  const match::Tick lost = std::max(before, match_.tick()) - match_.tick();
  lives_.begin({log_.epoch(), match_.tick(), match_.last_sequence_number(), lost});
}

MatchLog::Options MatchHost::log_options() const {
  MatchLog::Options log{.journal = options_.journal, .key = options_.journal_key};
  if (options_.journal == nullptr) return log;
  if (options_.returned) {
    log.cast = options_.returned->cast;
  } else {
    log.origin = MatchOrigin{options_.id, options_.create_time_unix_ms,
                             replay::head_of(match_, options_.id, options_.nonce), options_.budget_key};
  }
  return log;
}

void MatchHost::apply_again(const match::Join& join) {
  // It was possible then, and nothing has happened since: it gets the same number.
  const auto joined = recorder_.apply(join);
  SWEEPD_ASSERT(joined.ok() && joined->number == join.number);
}

/// Everybody's stream is gone; whoever had a seat may come back to it.
void MatchHost::come_back() {
  const StoredState& state = options_.returned->state;
  clock_.control({state.clock.is_paused, state.clock.tick_rate_hz});
  for (const match::SeatChange& arrival : state.arrivals)
    std::visit([this](const auto& change) { apply_again(change); }, arrival);
  for (const match::Participant& participant : match_.participants()) {
    SeatRecord& record = seats_.add(participant.number);
    const auto token = std::ranges::find(state.tokens, participant.number, &StoredState::Token::number);
    if (token != state.tokens.end()) record.token = token->digest;
    recorder_.apply(match::Away{participant.number});
  }
  monitor_.left(seats_.remove_departed(match_));
  update_absences();
}

void MatchHost::write_state() {
  if (options_.journal == nullptr) return;
  StoredState state{.clock = clock_.state(), .lives = lives_};
  for (const match::Participant& participant : match_.participants()) {
    state.tokens.push_back({participant.number, seats_.at(participant.number).token});
  }
  journal_.write_state(std::move(state));
}

ReplayPoint MatchHost::replay_point() const {
  return {.ending = journal_.ending(replay::EndReason::kStillRunning),
          .position = journal_.position(),
          .is_whole = !journal_.has_lost_ticks()};
}

Subscription& MatchHost::watch(Subscriber& subscriber, SubscriptionOptions options) {
  return follow(subscriber, std::move(options), std::nullopt);
}

Subscription& MatchHost::follow(Subscriber& subscriber, SubscriptionOptions options,
                                std::optional<match::ParticipantNumber> participant) {
  SWEEPD_ASSERT(!is_delivering_ && !match_.ended());
  followers_.push_back(
      {.subscriber = &subscriber,
       .subscription = std::make_unique<Subscription>(std::move(options), feed(), own_of(participant))});
  idle_timer_.cancel();
  return *followers_.back().subscription;
}

Duration MatchHost::delay_of(match::ParticipantNumber number) const {
  return seats_.at(number).delay.delay();
}

/// Whoever steps a match by hand decides how long its ticks are: there is no delay in ticks to measure.
std::optional<std::uint32_t> MatchHost::delay_ticks_of(match::ParticipantNumber number) const {
  if (match_.config().clock == match::ClockKind::kManual) return std::nullopt;
  return seats_.at(number).delay.delay_ticks(clock_.state().tick_rate_hz);
}

match::Claimant MatchHost::claimant(match::ParticipantNumber number) const {
  return {.number = number, .arrival_tick = match_.tick(), .delay_ticks = delay_ticks_of(number)};
}

void MatchHost::stop_following(Subscriber& subscriber, bool keeps_seat) {
  const auto it = std::ranges::find(followers_, &subscriber, &Follower::subscriber);
  SWEEPD_ASSERT(it != followers_.end() && !it->has_left);
  it->has_left = true;
  it->keeps_seat = keeps_seat;
  // The others are being told of a tick, and this list is being walked.
  if (!is_delivering_) remove_those_who_left();
}

void MatchHost::remove_those_who_left() {
  const auto first_left = std::stable_partition(followers_.begin(), followers_.end(),
                                                [](const Follower& follower) { return !follower.has_left; });
  if (first_left == followers_.end()) return;
  std::for_each(first_left, followers_.end(), [this](const Follower& follower) { part_with(follower); });
  followers_.erase(first_left, followers_.end());
  if (match_.ended()) return;
  update_absences();
  if (followers_.empty()) watch_idleness();
  resume_ticks();  // They may have waited for one who left.
}

std::optional<match::FieldError> MatchHost::find_error(const ResumePoint& point) const {
  const std::uint64_t last = log_.last_sequence_number();
  if (point.epoch != log_.epoch() || point.last_sequence_number <= last) return std::nullopt;
  return match::FieldError{"last_sequence_number", "is " + std::to_string(point.last_sequence_number) +
                                                       "; the last of this epoch is " + std::to_string(last)};
}

void MatchHost::submit(match::ParticipantNumber number, match::Frame frame) {
  loop_->figures().frames.add();
  seats_.at(number).delay.acknowledged(frame.acknowledged_tick, loop_->now());
  frame.delay_ticks = delay_ticks_of(number);
  const bool is_taken = !recorder_.apply(match::Submission{number, std::move(frame)});
  if (!is_taken) return report_refusals_if_paused();
  start_clock_if_ready();
  run_ticks_if_due();
}

void MatchHost::refuse(match::ParticipantNumber number, match::RejectionReason reason, match::Tick frame_tick,
                       std::string field, std::string message) {
  recorder_.apply(match::RefusedMessage{number, reason, frame_tick, std::move(field), std::move(message)});
  report_refusals_if_paused();
}

bool MatchHost::take_bytes(match::ParticipantNumber number, std::uint64_t bytes) {
  const std::uint32_t per_second = match_.rights_of(number).bytes_per_second_max;
  return per_second == match::Rights::kNoLimit ||
         seats_.at(number).bytes.take(bytes, per_second, loop_->now());
}

// They would wait for a tick that may be long in coming.
void MatchHost::report_refusals_if_paused() {
  if (clock_.state().is_paused && !match_.ended()) tell_without_tick();
}

void MatchHost::control_clock(const ClockControl& control) {
  SWEEPD_ASSERT(!is_delivering_ && !match_.ended());
  if (!clock_.control(control)) return;
  if (clock_.state().is_paused) steps_.fail_all(StepError::kMatchPaused);
  ++clock_version_;
  monitor_.note_state(state());
  write_state();
  tell_without_tick();
  if (clock_.state().is_paused) tell_when_durable();
  run_ticks_if_due();
}

void MatchHost::control_clock(match::ParticipantNumber number, const ClockControl& control) {
  if (may_control_clock(number)) return control_clock(control);
  refuse(number, match::RejectionReason::kMayNotControl, 0, "clock_control",
         "the participant's role may not control the clock (clock_control_roles)");
}

bool MatchHost::may_control_clock(match::ParticipantNumber number) const {
  const auto participant = match_.find_participant(number);
  SWEEPD_ASSERT(participant);
  return participant->is_any_of(match_.config().clock_control_roles);
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
  run_ticks_if_due();
}

void MatchHost::tick() {
  const TimePoint begin = loop_->now();
  TickTimer timer(loop_->figures(), loop_->clock());
  const match::TickOutput& output = recorder_.step();
  timer.enter(TickPhase::kJournal);
  journal_.write_tick();
  log(output);
  charge_writes();
  timer.enter(TickPhase::kTell);
  if (match_.ended()) return has_ended(cause_of(match_.excess()));
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
  loop_->post([weak = std::weak_ptr(stay_)] {
    const auto self = weak.lock();
    if (self && !self->match_.ended()) self->end(EndCause::kCpuTime);
  });
}

void MatchHost::tick_by_time() {
  loop_->figures().lateness.observe(loop_->now() - loop_->ticks().running().due);
  tick();
  run_ticks_if_due();  // In LOCKSTEP, the frames for the next ones may be in.
}

void MatchHost::log(const match::TickOutput& output) {
  log_.append(output);
  monitor_.took(output);
  seats_.take(output);
  scores_.take(output);
  claims_.take(output);
  if (absences_.numbers.empty()) return;
  monitor_.left(seats_.remove_departed(match_));  // The time of some may be over.
  update_absences();
}

void MatchHost::tell_followers() {
  is_delivering_ = true;
  for (const Follower& follower : followers_) follower.subscriber->tick_has_run();
  is_delivering_ = false;
  remove_those_who_left();
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
  if (!is_needed || std::exchange(is_waiting_for_durable_, true)) return;
  const auto tell = [weak = std::weak_ptr(stay_)] {
    if (const auto self = weak.lock()) self->tell_what_is_durable();
  };
  options_.journal->when_settled(journal_.position(), [loop = loop_, tell] { loop->post(tell); });
}

void MatchHost::tell_what_is_durable() {
  is_waiting_for_durable_ = false;
  if (match_.ended()) return;
  tell_followers();
  // What has come since: in time. A disk that takes nothing is asked again by the next tick.
  const bool is_behind = durable_tick() < match_.tick();
  if (is_behind && !options_.journal->is_failing()) tell_when_durable();
}

void MatchHost::trim_log() {
  match::Tick told_to_all = log_.last_tick();
  for (const Follower& follower : followers_)
    told_to_all = std::min(told_to_all, follower.subscription->told_tick());
  log_.trim(told_to_all);
  monitor_.note_kept(log_.size(), match_.frames_waiting());
}

void MatchHost::collect(Subscription& subscription, ReportSink& sink, bool is_last) {
  subscription.collect(feed(), sink, is_last);
}

void MatchHost::step(StepId id, const StepRequest& request, StepCallback callback) {
  if (match_.config().clock != match::ClockKind::kManual) {
    callback(StepError::kClockNotManual);
    return;
  }
  if (clock_.state().is_paused) {
    callback(StepError::kMatchPaused);
    return;
  }
  if (followers_.empty()) watch_idleness();
  steps_.add(id, request, std::move(callback));
  run_ticks_if_due();
}

bool MatchHost::is_tick_due() const {
  if (clock_.state().is_paused || match_.ended()) return false;
  switch (match_.config().clock) {
    case match::ClockKind::kManual:
      return !steps_.empty() && steps_.is_tick_due(match_.frames_are_in());
    case match::ClockKind::kLockstep:
      return clock_.has_started() && match_.frames_are_in();
    case match::ClockKind::kRealtime:
      break;
  }
  return false;
}

void MatchHost::run_ticks_if_due() {
  if (is_tick_due()) schedule_slice();
}

void MatchHost::resume_ticks() {
  is_patient_ = true;
  is_waiting_for_subscribers_ = false;
  run_ticks_if_due();
}

void MatchHost::schedule_slice() {
  if (std::exchange(is_slice_scheduled_, true)) return;
  // Players wait for the ticks of a LOCKSTEP match.
  const bool is_load = match_.config().clock == match::ClockKind::kLockstep;
  const auto run = [weak = std::weak_ptr(stay_)] {
    if (const auto self = weak.lock()) self->run_slice();
  };
  loop_->post_slice(run, is_load);
}

void MatchHost::run_slice() {
  is_slice_scheduled_ = false;
  const TimePoint end = loop_->now() + kSliceDuration;
  for (int ticks = 0; ticks < kSliceTicksMax && loop_->now() < end; ++ticks) {
    if (!is_tick_due() || must_wait_for_subscribers() || must_wait_for_journal()) return;
    tick();
    if (steps_.empty()) continue;  // A LOCKSTEP tick is nobody's step.
    steps_.count_tick({match_.tick(), match_.digest(), match_.last_sequence_number()});
  }
  run_ticks_if_due();
}

// Whoever catches up, or the end of patience, lets them run again. In LOCKSTEP the players set the pace, and
// no watcher may hold them up.
bool MatchHost::must_wait_for_subscribers() {
  if (match_.config().clock != match::ClockKind::kManual) return false;
  const bool is_any_behind = std::ranges::any_of(
      followers_, [](const Follower& follower) { return follower.subscriber->is_behind(); });
  if (!is_any_behind || !is_patient_) return false;
  if (std::exchange(is_waiting_for_subscribers_, true)) return true;
  patience_timer_.start(kPatience, [this] {
    if (!is_waiting_for_subscribers_) return;
    is_patient_ = false;
    schedule_slice();
  });
  return true;
}

// In real time nobody waits for the disk: then the journal says what it cannot take.
bool MatchHost::must_wait_for_journal() {
  const bool can_wait = match_.config().clock == match::ClockKind::kManual;
  if (!can_wait || !(journal_.is_crowded() || is_over_write_budget())) return false;
  if (std::exchange(is_waiting_for_journal_, true)) return true;
  journal_timer_.start(kJournalPause, [this] {
    is_waiting_for_journal_ = false;
    if (!match_.ended()) run_ticks_if_due();
  });
  return true;
}

bool MatchHost::is_over_write_budget() const {
  return !may_write() || (creator_writes_ && !creator_writes_->has_room(loop_->now()));
}

/// Where ticks come by time, frames have been charged to their senders already.
void MatchHost::charge_writes() {
  const std::uint64_t bytes = journal_.take_written_bytes();
  if (bytes == 0) return;
  writes_.take(bytes, loop_->now());
  if (creator_writes_ && match_.config().clock == match::ClockKind::kManual)
    creator_writes_->take(bytes, loop_->now());
}

void MatchHost::watch_idleness() {
  idle_timer_.start(options_.idle_timeout, [this] {
    if (match_.ended() || !followers_.empty()) return;
    if (!steps_.empty()) return watch_idleness();
    end(EndCause::kIdle);
  });
}

void MatchHost::end(EndCause cause) {
  SWEEPD_ASSERT(!is_delivering_ && !match_.ended());
  const match::TickOutput& output = recorder_.end();
  journal_.write_tick();
  log(output);
  has_ended(cause);
}

void MatchHost::has_ended(EndCause cause) {
  end_cause_ = cause;
  clock_.stop();
  start_gate_.cancel();
  steps_.fail_all(StepError::kMatchEnded);
  const auto followers = std::exchange(followers_, {});
  for (const Follower& follower : followers) follower.subscriber->match_ended(*this);
  idle_timer_.cancel();
  patience_timer_.cancel();
  journal_timer_.cancel();
  monitor_.ended(cause);
  options_.on_ended();
}

void MatchHost::begin_stay() {
  stay_.reset(this, [](MatchHost*) {});
}

void MatchHost::move_to(Loop& loop, std::size_t number, std::function<void()> on_ended) {
  SWEEPD_ASSERT(!is_delivering_ && !match_.ended());
  begin_stay();
  loop_ = &loop;
  last_move_ = loop.now();
  options_.on_ended = std::move(on_ended);
  clock_.move_to(loop);
  start_gate_.move_to(loop);
  monitor_.move_to(loop.figures());
  for (LoopTimer* timer : {&idle_timer_, &patience_timer_, &journal_timer_}) timer->move_to(loop);
  for (const Follower& follower : followers_) follower.subscriber->match_moved(number);
  // What the old loop was asked to do, and now will not.
  if (std::exchange(is_slice_scheduled_, false)) schedule_slice();
  if (std::exchange(is_waiting_for_durable_, false)) tell_when_durable();
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
