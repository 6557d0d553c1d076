// SPDX-License-Identifier: MIT
#include "runtime/feed/subscription.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

bool passes(const EventFilter& filter, const match::Destruction& destruction) {
  const collision::Destruction& what = destruction.what;
  return filter.passes({what.object, what.by, what.layer, what.by_layer},
                       match::event_owners(destruction.owner, destruction.by_owner));
}

// These are of no encounters.
bool passes(const EventFilter&, match::ParticipantNumber) { return true; }
bool passes(const EventFilter&, const match::OwnerChange&) { return true; }

}  // namespace

Subscription::Subscription(SubscriptionOptions options, const Feed& feed, Own own)
    : options_(std::move(options)),
      own_(std::move(own)),
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
  if (options_.resume) resume(*options_.resume, feed);
}

void Subscription::list_seats() {
  numbers_.clear();
  for (const Seat& seat : own_.seats) numbers_.push_back(seat.number);
  std::ranges::sort(numbers_);
  if (options_.own_objects_only) options_.filter.owners = numbers_;
}

bool Subscription::has_seat(match::ParticipantNumber number) const {
  return std::ranges::binary_search(numbers_, number);
}

void Subscription::add_seat(const Seat& seat, bool is_back, const Feed& feed) {
  SWEEPD_ASSERT(options_.is_shared && !has_seat(seat.number));
  own_.seats.push_back(seat);
  // As long as a seat is kept for who was cut off. Whoever comes later was told elsewhere meanwhile.
  const bool was_cut_off = feed.match.tick() - start_tick_ <= feed.match.config().reconnect_ticks;
  if (is_resumed_ && is_back && was_cut_off) resume(own_.seats.back(), feed);
  is_snapshot_due_ = is_snapshot_due_ || (is_back && options_.own_objects_only);
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
  // What one who resumes has missed is the log's business, not his queue's.
  const bool is_catching_up = told_sequence_number_ < start_sequence_number_;
  return has_fallen_off || (!is_catching_up && log.sequence_number_before_newest() >
                                                   told_sequence_number_ + options_.events_max);
}

bool Subscription::is_behind(const EventLog& log) const {
  return log.last_sequence_number() > told_sequence_number_ + options_.events_max / 2;
}

void Subscription::collect(const Feed& feed, ReportSink& sink, bool is_last) {
  is_digest_due_ = is_last || feed.log.last_tick() - last_digest_ >= options_.digest_every_ticks;
  bool has_dropped = std::exchange(is_snapshot_due_, false);
  if (has_dropped) {
    tell_snapshot(feed, sink);
  } else {
    has_dropped = is_full(feed.log) && drop_what_does_not_fit(feed, sink);
  }
  const bool has_told = tell_logged_ticks(feed, sink);
  if (feed.log.first_after(told_tick_, told_sequence_number_) == feed.log.tick_count())
    tell_end(feed, sink, has_dropped || has_told || is_last);
}

bool Subscription::drop_what_does_not_fit(const Feed& feed, ReportSink& sink) {
  SWEEPD_ASSERT(options_.when_full != WhenFull::kDisconnect);  // Its stream has ended.
  if (feed.figures != nullptr) feed.figures->slow_readers[static_cast<std::size_t>(options_.when_full)].add();
  if (options_.when_full == WhenFull::kCoalesce) {
    tell_snapshot(feed, sink);
  } else {
    drop_oldest(feed.log, sink);
  }
  return true;
}

void Subscription::drop_oldest(const EventLog& log, ReportSink& sink) {
  TickReport report{
      .tick = log.forgotten_tick(), .digest = 0, .last_sequence_number = log.forgotten_sequence_number()};
  for (std::size_t i = 0; i + 1 < log.tick_count(); ++i) {
    const bool does_fit = log.last_sequence_number() - report.last_sequence_number <= options_.events_max;
    if (does_fit) break;
    const LoggedTick tick = log.tick(i);
    report.tick = tick.tick;
    report.digest = tick.digest;
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
  sink.add({.tick = feed.log.last_tick(),
            .digest = feed.match.digest(),
            .last_sequence_number = feed.log.last_sequence_number(),
            .snapshot = feed.room.encounters});
  told_tick_ = feed.log.last_tick();
  told_sequence_number_ = feed.log.last_sequence_number();
}

bool Subscription::tell_logged_ticks(const Feed& feed, ReportSink& sink) {
  const EventLog& log = feed.log;
  bool has_told = false;
  std::size_t next = log.first_after(told_tick_, told_sequence_number_);
  for (; next < log.tick_count() && !sink.is_full(); ++next) {
    const LoggedTick tick = log.tick(next);
    TickReport report{.tick = tick.tick,
                      .digest = digest_if_due(tick.digest),
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
  if (options_.filter.passes_everything()) return events;
  std::vector<collision::Event>& passing = feed.room.events;
  passing.clear();
  std::ranges::copy_if(events, std::back_inserter(passing),
                       [this](const collision::Event& event) { return options_.filter.passes(event); });
  return passing;
}

void Subscription::add_facts(const Feed& feed, const LoggedTick& tick, TickReport& report) const {
  if (tick.facts == nullptr || tick.tick <= told_tick_) return;
  const auto add = [this](auto& told, auto& room, const auto& logged) {
    told = logged;
    if (options_.filter.passes_everything()) return;
    room.clear();
    std::ranges::copy_if(logged, std::back_inserter(room),
                         [this](const auto& fact) { return passes(options_.filter, fact); });
    told = room;
  };
  match::for_each_fact(add, report, feed.room.facts, *tick.facts);
}

// What is told of the match as it is now, and that everything up to now has been told.
void Subscription::tell_end(const Feed& feed, ReportSink& sink, bool must_tell) {
  told_tick_ = feed.log.last_tick();
  TickReport report{.tick = told_tick_,
                    .digest = digest_if_due(feed.match.digest()),
                    .last_sequence_number = told_sequence_number_};
  add_rejections(report, feed.room.rejections);
  feed.scores.find_changed_after(told_scores_, feed.room.scores);
  report.scores = feed.room.scores;
  told_scores_ = told_tick_;
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
  const bool has_content = !report.claim_verdicts.empty() || !report.claim_warnings.empty() ||
                           !report.scores.empty() || !report.rejections.empty() ||
                           report.rejections_not_listed > 0 || report.absences || report.clock ||
                           report.stays;
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
  for (Seat& seat : own_.seats) {
    feed.claims.append_verdicts(seat.told_claims, seat.number, verdicts);
    seat.told_claims = feed.claims.count();
  }
  if (is_warned(feed.match)) feed.claims.append_warnings(own_.told_claims, numbers_, warnings);
  own_.told_claims = feed.claims.count();
  report.claim_verdicts = verdicts;
  report.claim_warnings = warnings;
}

bool Subscription::are_claims_told(const Feed& feed) const {
  return own_.told_claims == feed.claims.count() && std::ranges::all_of(own_.seats, [&](const Seat& seat) {
           return seat.told_claims == feed.claims.count();
         });
}

/// Stages, observers and watchers are, where the match says so. Who acts as the stage may change.
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
  std::vector<collision::Encounter> encounters = match.open_encounters();
  if (options_.filter.passes_everything()) return encounters;
  const auto owner_of = [&match](match::ObjectId object) { return match.find_object(object)->owner; };
  std::erase_if(encounters, [&](const collision::Encounter& encounter) {
    const collision::EncounterKey& key = encounter.key;
    return !options_.filter.passes(key, match::event_owners(owner_of(key.object_a), owner_of(key.object_b)));
  });
  return encounters;
}

}  // namespace sweepd::runtime
