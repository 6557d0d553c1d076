// SPDX-License-Identifier: MIT
#include "runtime/feed/subscription.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.h"
#include "runtime/feed/fact_filter.h"

namespace sweepd::runtime {
namespace {

constexpr std::size_t kWorldBytesMax = std::size_t{128} << 10;  ///< Of one report, about.

}  // namespace

Subscription::Subscription(SubscriptionOptions options, const Feed& feed, Own own)
    : options_(std::move(options)),
      own_(std::move(own)),
      sight_(feed.sight),
      told_tick_(feed.match.tick()),
      told_sequence_number_(feed.log.last_sequence_number()),
      start_sequence_number_(feed.log.last_sequence_number()),
      start_tick_(feed.match.tick()),
      told_scores_(feed.match.tick()),
      last_update_(feed.match.tick()),
      last_stays_(feed.match.tick()),
      last_digest_(feed.match.tick()),
      absences_version_(feed.absences.numbers.empty() ? feed.absences.version : 0),
      clock_version_(feed.clock_version) {
  SWEEPD_ASSERT(options_.events_max > 0 && options_.events_max <= SubscriptionOptions::kEventsMaxMax);
  SWEEPD_ASSERT(!options_.own_objects_only || !own_.seats.empty());
  list_seats();
  update_viewer(feed.match);
  if (delay_ticks_ > 0) {
    told_tick_ = start_tick_ = last_update_ = last_stays_ = last_digest_ =
        std::max(due_tick(feed.match.tick()), feed.log.forgotten_tick());
    told_sequence_number_ = start_sequence_number_ = feed.log.sequence_number_at(told_tick_);
  }
  if (options_.resume) resume(*options_.resume, feed);
  is_snapshot_due_ = !is_resumed_ && !can_tell_snapshot(feed.log);
  update_world(feed);
}

WorldScope Subscription::world_scope() const {
  const SubscriptionOptions::World& asked = *options_.world;
  const bool is_seated = !numbers_.empty() && numbers_.front() < match::kParticipantsMax;
  WorldScope view(asked.interest, sight_ == nullptr ? match::Viewer{} : viewer_, is_seated, delay_ticks_);
  if (!asked.has_own_objects) return view;
  std::vector<match::ParticipantNumber>& owners = view.interest.owners;
  owners.insert(owners.end(), numbers_.begin(), numbers_.end());
  std::ranges::sort(owners);
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  return view;
}

void Subscription::update_world(const Feed& feed) {
  if (!options_.world || feed.world == nullptr || feed.match.ended()) return;
  const WorldScope view = world_scope();
  if (!is_world_new_ && world_ && world_->channel().view() == view) return;
  is_world_new_ = false;
  if (world_) {
    const std::uint64_t left = world_->channel().id();
    world_.reset();
    feed.world->close_if_unused(left);
  }
  const WorldResume seen = options_.resume ? std::exchange(options_.resume->world, {}) : WorldResume{};
  std::shared_ptr<WorldChannel> channel = feed.world->open(view, options_.world->encode, seen.feed_id);
  // What other eyes see is not for these: rather nothing, until another subscriber leaves.
  if (channel != nullptr) world_.emplace(std::move(channel), seen);
}

void Subscription::add_world(const Feed& feed, TickReport& report, bool is_last) {
  if (!world_) return;
  feed.room.world.clear();
  world_->take(due_tick(feed.log.last_tick()), is_last ? ~std::size_t{0} : kWorldBytesMax, feed.room.world);
  report.world = feed.room.world;
}

void Subscription::list_seats() {
  numbers_.clear();
  for (const Seat& seat : own_.seats) numbers_.push_back(seat.number);
  std::ranges::sort(numbers_);
  if (options_.own_objects_only) options_.filter.owners = numbers_;
}

void Subscription::update_viewer(const match::Match& match) {
  if (sight_ == nullptr) return;
  const match::Viewer before = std::exchange(viewer_, options_.viewer);
  if (!numbers_.empty()) viewer_ = match::viewer_of(match, numbers_);
  viewer_.sees_all = viewer_.sees_all || !sight_->rules().is_limited(viewer_.role);
  delay_ticks_ = viewer_.sees_all ? 0 : sight_->rules().delay_ticks(viewer_.role);
  if (before.sees_all && viewer_.sees_all) return;
  // Other eyes: ends are to come of encounters of which it has not been told, or none of some of which it
  // has.
  const bool has_lost_seats = !std::ranges::includes(viewer_.seats, before.seats);
  const bool is_another = before.sees_all != viewer_.sees_all || before.role != viewer_.role;
  if (is_another || has_lost_seats) is_snapshot_due_ = true;
}

/// A snapshot of a tick before that of which it was told last would take back what came between.
bool Subscription::can_tell_snapshot(const EventLog& log) const {
  return due_tick(log.last_tick()) >= told_tick_;
}

std::uint64_t Subscription::due_sequence_number(const EventLog& log) const {
  if (delay_ticks_ == 0) return log.last_sequence_number();
  return std::max(told_sequence_number_, log.sequence_number_at(due_tick(log.last_tick())));
}

/// The newest tick may have more events than fit: it has not been waiting.
std::uint64_t Subscription::before_newest_due(const EventLog& log) const {
  if (delay_ticks_ == 0) return log.sequence_number_before_newest();
  const match::Tick due = due_tick(log.last_tick());
  return due == 0 ? 0 : log.sequence_number_at(due - 1);
}

bool Subscription::has_seat(match::ParticipantNumber number) const {
  return std::ranges::binary_search(numbers_, number);
}

void Subscription::add_seat(const Seat& seat, bool is_back, const Feed& feed) {
  SWEEPD_ASSERT(options_.is_shared && !has_seat(seat.number));
  own_.seats.push_back(seat);
  // As long as a seat is kept for a participant that was cut off. One that comes later was told elsewhere
  // meanwhile.
  const bool was_cut_off = feed.match.tick() - start_tick_ <= feed.match.config().reconnect_ticks;
  if (is_resumed_ && is_back && was_cut_off) resume(own_.seats.back(), feed);
  is_snapshot_due_ = is_snapshot_due_ || (is_back && (options_.own_objects_only || is_limited()));
  list_seats();
}

Subscription::Seat Subscription::remove_seat(match::ParticipantNumber number) {
  const auto it = std::ranges::find(own_.seats, number, &Seat::number);
  SWEEPD_ASSERT(it != own_.seats.end() && own_.seats.size() > 1);
  const Seat seat = *it;
  own_.seats.erase(it);
  list_seats();
  return seat;
}

void Subscription::resume(const ResumePoint& point, const Feed& feed) {
  const EventLog& log = feed.log;
  match::Tick told = std::min(point.last_tick, log.last_tick());
  for (std::size_t i = 0; i < log.tick_count(); ++i) {
    const LoggedTick tick = log.tick(i);
    if (tick.last_sequence_number > point.last_sequence_number) break;
    // The tick of that event. Ticks after it that brought none, but a new owner, say, are still to be told.
    if (tick.event_count > 0) told = std::max(told, tick.tick);
  }
  const bool has_all = point.last_tick == 0 || told >= log.forgotten_tick();
  is_resumed_ = point.epoch == log.epoch() && log.covers(point.last_sequence_number) && has_all;
  if (!is_resumed_) return;
  told_sequence_number_ = point.last_sequence_number;
  told_tick_ = std::max(told, log.forgotten_tick());
  resumed_tick_ = told_tick_;
  for (Seat& seat : own_.seats) resume(seat, feed);
  own_.told_claims = std::min(own_.told_claims, feed.claims.count_up_to(told_tick_));
  told_scores_ = told_tick_;
  last_update_ = told_tick_;
}

/// The stream that broke had been told more than has arrived.
void Subscription::resume(Seat& seat, const Feed& feed) const {
  seat.told_rejections = seat.rejections->told_up_to(resumed_tick_, seat.told_rejections);
  seat.told_claims = std::min(seat.told_claims, feed.claims.count_up_to(resumed_tick_));
}

void Subscription::keep_rejections_of(match::ParticipantNumber number) {
  const auto seat = std::ranges::find(own_.seats, number, &Seat::number);
  SWEEPD_ASSERT(seat != own_.seats.end());
  const RejectionBox::News news = seat->rejections->after(seat->told_rejections);
  const std::size_t room = RejectionBox::kKeptMax - kept_rejections_.size();
  const auto listed = news.listed.first(std::min(room, news.listed.size()));
  kept_rejections_.insert(kept_rejections_.end(), listed.begin(), listed.end());
  kept_not_listed_ += news.not_listed + (news.listed.size() - listed.size());
  seat->told_rejections = seat->rejections->count();
}

bool Subscription::is_full(const EventLog& log) const {
  const bool has_fallen_off =
      log.forgotten_sequence_number() > told_sequence_number_ || log.forgotten_tick() > told_tick_;
  return has_fallen_off || has_lost_world() ||
         (!is_catching_up() && before_newest_due(log) > told_sequence_number_ + options_.events_max);
}

/// What has not been begun to be told, as what a stream that resumes has missed comes first, is not lost.
bool Subscription::has_lost_world() const {
  return world_ && delay_ticks_ == 0 && !is_catching_up() && options_.when_full == WhenFull::kDisconnect &&
         world_->has_fallen_off();
}

bool Subscription::is_behind(const EventLog& log) const {
  return due_sequence_number(log) > told_sequence_number_ + options_.events_max / 2 ||
         (world_ && delay_ticks_ == 0 && world_->is_behind());
}

void Subscription::collect(const Feed& feed, ReportSink& sink, bool is_last) {
  is_digest_due_ = is_last || feed.log.last_tick() - last_digest_ >= options_.digest_every_ticks;
  update_viewer(feed.match);
  update_world(feed);
  bool has_dropped = is_snapshot_due_ && can_tell_snapshot(feed.log);
  if (has_dropped) {
    is_snapshot_due_ = false;
    tell_snapshot(feed, sink);
  } else if (options_.when_full != WhenFull::kDisconnect) {  // Else its stream ends before the next.
    has_dropped = is_full(feed.log) && drop_what_does_not_fit(feed, sink);
  }
  if (feed.match.ended()) delay_ticks_ = 0;
  const bool has_told = tell_logged_ticks(feed, sink);
  const std::size_t due =
      delay_ticks_ == 0 ? feed.log.tick_count() : feed.log.end_of(due_tick(feed.log.last_tick()));
  if (feed.log.first_after(told_tick_, told_sequence_number_) >= due)
    tell_end(feed, sink, has_dropped || has_told || is_last, is_last);
}

bool Subscription::drop_what_does_not_fit(const Feed& feed, ReportSink& sink) {
  if (feed.figures != nullptr) feed.figures->slow_readers[static_cast<std::size_t>(options_.when_full)].add();
  if (options_.when_full == WhenFull::kCoalesce) {
    tell_snapshot(feed, sink);
  } else {
    drop_oldest(feed, sink);
  }
  return true;
}

void Subscription::drop_oldest(const Feed& feed, ReportSink& sink) {
  const EventLog& log = feed.log;
  TickReport report{
      .tick = log.forgotten_tick(), .digest = 0, .last_sequence_number = log.forgotten_sequence_number()};
  for (std::size_t i = 0; i + 1 < log.tick_count(); ++i) {
    const bool does_fit = due_sequence_number(log) <= report.last_sequence_number + options_.events_max;
    if (does_fit) break;
    const LoggedTick tick = log.tick(i);
    report.tick = tick.tick;
    report.digest = may_know_digest(feed.match) ? tick.digest : 0;
    report.last_sequence_number = tick.last_sequence_number;
  }
  if (report.last_sequence_number > told_sequence_number_) {
    report.gap = SequenceRange{told_sequence_number_ + 1, report.last_sequence_number};
    sink.add(report);
  }
  told_tick_ = std::max(told_tick_, report.tick);
  told_sequence_number_ = std::max(told_sequence_number_, report.last_sequence_number);
}

void Subscription::tell_snapshot(const Feed& feed, ReportSink& sink) {
  feed.room.encounters = open_encounters(feed.match);
  told_tick_ = std::max(told_tick_, due_tick(feed.log.last_tick()));
  told_sequence_number_ = due_sequence_number(feed.log);
  sink.add({.tick = told_tick_,
            .digest = may_know_digest(feed.match) ? feed.match.digest() : 0,
            .last_sequence_number = told_sequence_number_,
            .snapshot = feed.room.encounters});
}

bool Subscription::tell_logged_ticks(const Feed& feed, ReportSink& sink) {
  const EventLog& log = feed.log;
  bool has_told = false;
  std::size_t next = log.first_after(told_tick_, told_sequence_number_);
  const match::Tick due = due_tick(log.last_tick());
  for (; next < log.tick_count() && !sink.is_full(); ++next) {
    const LoggedTick tick = log.tick(next);
    if (tick.tick > due) break;
    TickReport report{.tick = tick.tick,
                      .digest = digest_if_due(tick.digest, feed.match),
                      .last_sequence_number = tick.last_sequence_number,
                      .events = passing(feed, tick)};
    add_facts(feed, tick, report);
    told_tick_ = std::max(told_tick_, tick.tick);
    told_sequence_number_ = tick.last_sequence_number;
    if (report.events.empty() && !match::has_facts(report)) continue;  // What is not sent costs nothing.
    sink.add(report);
    last_update_ = tick.tick;
    has_told = true;
  }
  return has_told;
}

std::span<const collision::Event> Subscription::passing(const Feed& feed, const LoggedTick& tick) const {
  const std::uint64_t before = tick.last_sequence_number - tick.event_count;
  const std::size_t told = told_sequence_number_ > before ? told_sequence_number_ - before : 0;
  if (told >= tick.event_count) return {};
  const auto events = feed.log.events_of(tick, feed.room.unpacked).subspan(told);
  if (options_.filter.passes_everything() && !is_limited()) return events;
  std::vector<collision::Event>& passing = feed.room.events;
  passing.clear();
  std::ranges::copy_if(events, std::back_inserter(passing),
                       [this](const collision::Event& event) { return passes(event); });
  return passing;
}

void Subscription::add_facts(const Feed& feed, const LoggedTick& tick, TickReport& report) const {
  if (tick.facts == nullptr || tick.tick <= told_tick_) return;
  const FactFilter wanted{options_.filter, numbers_, feed.match};
  if (is_limited()) {
    match::for_each_fact([](auto& room, const auto& logged) { room = logged; }, feed.room.facts, *tick.facts);
    match::for_each_fact(FactLimits{*sight_, viewer_, wanted, tick.tick}, feed.room.facts);
    match::for_each_fact([](auto& told, const auto& room) { told = room; }, report, feed.room.facts);
    return;
  }
  const auto add = [&](auto& told, auto& room, const auto& logged) {
    const auto is_wanted = [&](const auto& fact) { return wanted.passes(fact); };
    told = logged;
    if (std::ranges::all_of(logged, is_wanted)) return;
    room.clear();
    std::ranges::copy_if(logged, std::back_inserter(room), is_wanted);
    told = room;
  };
  match::for_each_fact(add, report, feed.room.facts, *tick.facts);
}

// What is told of the match as it is now, and that everything up to now has been told.
void Subscription::tell_end(const Feed& feed, ReportSink& sink, bool must_tell, bool is_last) {
  told_tick_ = std::max(told_tick_, due_tick(feed.log.last_tick()));
  TickReport report{.tick = told_tick_,
                    .digest = digest_if_due(feed.match.digest(), feed.match),
                    .last_sequence_number = told_sequence_number_};
  add_rejections(report, feed.room.rejections);
  feed.scores.find_changed_after(told_scores_, feed.room.scores);
  report.scores = feed.room.scores;
  told_scores_ = feed.log.last_tick();  // They are those of now, however late the rest is.
  if (absences_version_ != feed.absences.version) {
    report.absences = feed.absences.numbers;
    absences_version_ = feed.absences.version;
  }
  if (clock_version_ != feed.clock_version) {
    report.clock = feed.clock;
    clock_version_ = feed.clock_version;
  }
  add_stays(feed, report);
  add_claims(feed, report);
  add_world(feed, report, is_last);
  const bool has_content = !report.claim_verdicts.empty() || !report.claim_warnings.empty() ||
                           !report.scores.empty() || !report.rejections.empty() ||
                           report.rejections_not_listed > 0 || report.absences || report.clock ||
                           report.stays || !report.world.empty();
  const bool is_heartbeat_due = told_tick_ - last_update_ >= feed.match.config().heartbeat_ticks;
  // While ticks run, that one is durable is told with a later one.
  const bool is_all_durable = feed.durable_tick == told_tick_ && told_durable_ < told_tick_;
  if (!must_tell && !has_content && !is_heartbeat_due && !is_all_durable) return;
  last_update_ = told_tick_;
  if (is_digest_due_) last_digest_ = told_tick_;
  told_durable_ = feed.durable_tick;
  sink.add(report);
}

void Subscription::add_rejections(TickReport& report, std::vector<match::Rejection>& rejections) {
  report.names_participants = options_.is_shared;
  report.rejections_not_listed = std::exchange(kept_not_listed_, 0);
  rejections.clear();
  if (!kept_rejections_.empty()) rejections = std::exchange(kept_rejections_, {});
  const bool is_one_list = rejections.empty() && own_.seats.size() <= 1;
  for (Seat& seat : own_.seats) {
    const RejectionBox::News news = seat.rejections->after(seat.told_rejections);
    seat.told_rejections = seat.rejections->count();
    report.rejections_not_listed += news.not_listed;
    if (is_one_list) {
      report.rejections = news.listed;
    } else {
      rejections.insert(rejections.end(), news.listed.begin(), news.listed.end());
    }
  }
  if (!is_one_list) report.rejections = rejections;
}

void Subscription::add_claims(const Feed& feed, TickReport& report) {
  if (are_claims_told(feed)) return;
  std::vector<match::ClaimVerdict>& verdicts = feed.room.claim_verdicts;
  std::vector<match::ClaimVerdict>& warnings = feed.room.claim_warnings;
  verdicts.clear();
  warnings.clear();
  std::vector<ClaimLog::Claimant>& claimants = feed.room.claimants;
  claimants.clear();
  for (Seat& seat : own_.seats)
    claimants.push_back({seat.number, std::exchange(seat.told_claims, feed.claims.count())});
  std::ranges::sort(claimants, {}, &ClaimLog::Claimant::number);
  feed.claims.append_verdicts(claimants, verdicts, is_limited());
  // Where they are told late, when the match has ended.
  if (delay_ticks_ == 0) {
    if (is_warned(feed.match)) feed.claims.append_warnings(own_.told_claims, numbers_, warnings);
    own_.told_claims = feed.claims.count();
  }
  if (is_limited()) limit_claims(verdicts, warnings);
  if (!may_know_delays(feed.match)) {
    for (match::ClaimVerdict& verdict : warnings) verdict.delay_ticks = verdict.window_ticks = std::nullopt;
  }
  report.claim_verdicts = verdicts;
  report.claim_warnings = warnings;
}

void Subscription::limit_claims(std::vector<match::ClaimVerdict>& verdicts,
                                std::vector<match::ClaimVerdict>& warnings) const {
  const match::Visibility& rules = sight_->rules();
  for (match::ClaimVerdict& verdict : verdicts) rules.limit(viewer_, verdict);
  if (!rules.hides_any(viewer_.role)) return;
  std::erase_if(warnings, [&](const match::ClaimVerdict& verdict) {
    return !verdict.evidence || !rules.sees_all_of(viewer_.role, verdict.evidence->shot_layer) ||
           !rules.sees_all_of(viewer_.role, verdict.evidence->target_layer);
  });
}

bool Subscription::are_claims_told(const Feed& feed) const {
  return own_.told_claims == feed.claims.count() && std::ranges::all_of(own_.seats, [&](const Seat& seat) {
           return seat.told_claims == feed.claims.count();
         });
}

/// Of others: how far a player lags is for the referees, and not for those that only watch.
bool Subscription::may_know_delays(const match::Match& match) const {
  if (own_.seats.empty()) return viewer_.role != match::Role::kObserver;
  return std::ranges::any_of(own_.seats, [&match](const Seat& seat) {
    const auto who = match.find_participant(seat.number);
    return who && who->acts_as_stage;
  });
}

/// Stages, observers and watchers are, where the match says so. The participant that acts as the stage may
/// change.
bool Subscription::is_warned(const match::Match& match) const {
  if (match.config().claims.policy == match::ClaimPolicy::kObserve) return false;
  return own_.seats.empty() || std::ranges::any_of(own_.seats, [&match](const Seat& seat) {
           const auto who = match.find_participant(seat.number);
           return who && (who->acts_as_stage || who->role != match::Role::kPlayer);
         });
}

void Subscription::add_stays(const Feed& feed, TickReport& report) {
  if (options_.stay_every_ticks == 0 || told_tick_ - last_stays_ < options_.stay_every_ticks) return;
  last_stays_ = told_tick_;
  std::vector<collision::Encounter>& stays = feed.room.encounters;
  stays = open_encounters(feed.match);
  std::erase_if(stays, [this](const auto& encounter) { return encounter.since_tick == told_tick_; });
  const bool is_news = !stays.empty() || !were_stays_empty_;
  were_stays_empty_ = stays.empty();
  if (is_news) report.stays = stays;
}

std::vector<collision::Encounter> Subscription::open_encounters(const match::Match& match) const {
  const match::Tick tick = due_tick(match.tick());
  std::vector<collision::Encounter> encounters;
  if (delay_ticks_ == 0) {
    encounters = match.open_encounters();
  } else if (tick >= told_tick_ && match.known_ticks().has(tick)) {
    encounters = match.encounters_at(tick);
  }
  if (is_limited()) {
    std::erase_if(encounters,
                  [this](const auto& encounter) { return !sight_->sees_open(viewer_, encounter.key); });
  }
  if (options_.filter.passes_everything()) return encounters;
  // An object that was there at that time may be gone: it has no owner then.
  const auto owner_of = [&match](match::ObjectId id) {
    const auto object = match.find_object(id);
    return object ? object->owner : match::ParticipantNumber{0xFF};
  };
  std::erase_if(encounters, [&](const collision::Encounter& encounter) {
    const collision::EncounterKey& key = encounter.key;
    return !options_.filter.passes(key, match::event_owners(owner_of(key.object_a), owner_of(key.object_b)));
  });
  return encounters;
}

}  // namespace sweepd::runtime
