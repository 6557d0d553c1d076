// SPDX-License-Identifier: MIT
#include "subscription.h"

#include <algorithm>
#include <utility>

#include "claim_codec.h"
#include "clock_codec.h"
#include "event_decoder.h"
#include "match_codec.h"
#include "scoring_codec.h"
#include "world_mirror.h"

namespace sweepd::internal {
namespace {

/// Far more than a match has participants at once.
constexpr std::size_t kScoresMax = 1024;

std::vector<Encounter> decode_all(const google::protobuf::RepeatedPtrField<v1::Encounter>& encounters) {
  std::vector<Encounter> out;
  out.reserve(static_cast<std::size_t>(encounters.size()));
  for (const auto& encounter : encounters) out.push_back(internal::decode(encounter));
  return out;
}

Status out_of_order(const std::string& what, std::uint64_t after) {
  return {ErrorCode::kInternal, "the server sent " + what + " after event " + std::to_string(after)};
}

Status tick_went_back(Tick tick, Tick after) {
  return {ErrorCode::kInternal,
          "the server sent tick " + std::to_string(tick) + " after tick " + std::to_string(after)};
}

Status too_many_scores() {
  return {ErrorCode::kInternal,
          "the server sent scores of more than " + std::to_string(kScoresMax) + " participants at once"};
}

bool is_present(const v1::Score& score) { return !score.has_left(); }

}  // namespace

bool Subscription::join(const SubscriptionStart& start, const Reconnection& reconnection) {
  const bool is_first = state() == SessionState::kConnecting;
  if (Status error = check_start(start); !error.ok()) {
    fail(std::move(error));
    return false;
  }
  const std::lock_guard lock(mutex_);
  if (is_over()) return false;
  if (is_first) {
    has_progress_ = true;
    match_ = decode(start.match);
    is_filtered_ = is_filtered_ || start.match.config().visibility_size() > 0;
    encounters_ = decode_all(start.open_encounters);
  }
  if (start.seat != nullptr) set_seat(*start.seat);
  clock_ = decode(start.match.clock());
  durable_tick_ = start.match.durable_tick();
  is_kept_ = start.match.is_kept();
  away_.clear();
  for (const auto& participant : start.match.participants()) {
    if (participant.is_away()) away_.push_back(participant.number());
  }
  if (start.undone) undo(*start.undone, start);
  if (is_first || !start.resumed) begin_with(start);
  if (!is_first && !start.resumed) {
    snapshot_ = EncounterSnapshot{tick_, last_sequence_number_, decode_all(start.open_encounters)};
  }
  // After what it announces: who polls it finds the snapshot.
  if (!is_first) reconnections_.put(reconnection);
  state_.store(SessionState::kJoined, std::memory_order_release);
  return true;
}

Status Subscription::check_start(const SubscriptionStart& start) const {
  if (std::ranges::count_if(start.match.scores(), is_present) > std::ptrdiff_t{kScoresMax})
    return too_many_scores();
  if (start.resumed) return {};
  std::uint64_t last = last_sequence_number_;
  Tick last_tick = tick();
  if (start.undone) {
    last = std::min(last, start.undone->after_sequence_number);
    last_tick = std::min(last_tick, start.undone->after_tick);
  }
  if (start.match.events() < last) {
    return out_of_order("a snapshot up to event " + std::to_string(start.match.events()), last);
  }
  return start.match.tick() < last_tick ? tick_went_back(start.match.tick(), last_tick) : Status();
}

void Subscription::begin_with(const SubscriptionStart& start) {
  epoch_ = start.epoch;
  last_sequence_number_ = start.match.events();
  tick_ = start.match.tick();
  digest_ = start.match.digest();
  digest_tick_ = digest_ == 0 ? 0 : tick_;
  set_scores(start.match);
}

void Subscription::set_scores(const v1::Match& match) {
  scores_.clear();
  for (const auto& message : match.scores()) {
    if (is_present(message)) set_score(decode(message));
  }
}

/// Under the lock. What was told of later ticks and not polled yet is not told any more.
void Subscription::undo(const Undone& undone, const SubscriptionStart& start) {
  inbox_.undo_events(undone.after_sequence_number);
  gaps_.undo([&](const EventGap& gap) { return gap.first > undone.after_sequence_number; });
  const auto is_later = [&](const auto& report) { return report.tick > undone.after_tick; };
  facts_.undo(undone.after_tick);
  verdicts_.undo(is_later);
  warnings_.undo(is_later);
  if (snapshot_ && snapshot_->tick > undone.after_tick) snapshot_.reset();
  if (stays_ && stays_->tick > undone.after_tick) stays_.reset();
  epoch_ = start.epoch;
  last_sequence_number_ = std::min(last_sequence_number_, undone.after_sequence_number);
  if (digest_tick_ > undone.after_tick) digest_ = digest_tick_ = 0;  // Of that tick it was not kept.
  tick_ = std::min(tick_, undone.after_tick);
  set_scores(start.match);
}

void Subscription::add_seat(const v1::Participant& seat) {
  const std::lock_guard lock(mutex_);
  set_seat(seat);
}

/// Under the lock.
void Subscription::set_seat(const v1::Participant& seat) {
  const auto known = std::ranges::find(seats_, seat.number(), &Participant::number);
  if (known == seats_.end()) {
    seats_.push_back(decode(seat));
  } else {
    *known = decode(seat);
  }
}

void Subscription::note_heard() {
  heard_at_.store(std::chrono::steady_clock::now(), std::memory_order_release);
}

std::chrono::milliseconds Subscription::silent_for() const {
  if (!has_joined()) return {};
  const auto silence = std::chrono::steady_clock::now() - heard_at_.load(std::memory_order_acquire);
  return std::chrono::duration_cast<std::chrono::milliseconds>(silence);
}

bool Subscription::set_reconnecting() {
  const std::lock_guard lock(mutex_);
  if (!has_joined()) return false;
  state_.store(SessionState::kReconnecting, std::memory_order_release);
  return true;
}

void Subscription::write_resume_point(v1::ResumePoint* out) const {
  out->set_epoch(epoch_);
  out->set_last_sequence_number(last_sequence_number_);
  out->set_last_tick(tick());
  out->set_world_feed_id(world_feed_id_);
  out->set_world_tick(world_tick_);
}

Status Subscription::update(const v1::TickUpdate& update) {
  if (state() != SessionState::kJoined) return {};
  Status status = take(update);
  if (!status.ok()) fail(status);
  return status;
}

Status Subscription::take(const v1::TickUpdate& update) {
  Arrivals arrivals;
  std::uint64_t last = last_sequence_number_;
  if (const Tick told = tick(); update.tick() < told) return tick_went_back(update.tick(), told);
  if (Status status = decode_events(update, &arrivals.events); !status.ok()) return status;
  if (Status status = check_sequence(update, arrivals.events, &last); !status.ok()) return status;
  for (const auto& rejection : update.rejections()) arrivals.rejections.push_back(decode(rejection));
  // Before the events: who sees the jump in their numbers finds the gap.
  if (update.has_gap()) gaps_.put({update.gap().first(), update.gap().last()});
  if (Status status = put(std::move(arrivals)); !status.ok()) return status;
  last_sequence_number_ = last;
  has_progress_ = true;
  if (Status status = take_world(update); !status.ok()) return status;
  return take_state(update);
}

Status Subscription::take_world(const v1::TickUpdate& update) {
  if (world_every_ticks_ == 0) return {};
  world_.note_update({update.tick(), std::chrono::steady_clock::now()}, update.delay_ms());
  note_frames(update.frame_arrivals());
  for (const std::string& bytes : update.world()) {
    v1::WorldTick tick;
    if (!tick.ParseFromString(bytes))
      return {ErrorCode::kInternal, "the server sent bytes that are no world of a tick"};
    if (tick.is_snapshot()) {
      world_feed_id_ = tick.feed_id();
      has_world_begun_ = true;
    }
    world_tick_ = tick_of(tick, world_tick_);
    if (!world_.put(std::move(tick)))
      return {ErrorCode::kResourceExhausted,
              "more of the world waits to be taken by WorldView::update than fits into " +
                  std::to_string(WorldInbox::kBytesMax) + " bytes of memory"};
  }
  return {};
}

/// Columns that are shorter than they should be are read as far as they go.
void Subscription::note_frames(const v1::FrameArrivals& columns) {
  const int rows = std::min({columns.tick_delta_size(), columns.margin_size(), columns.lag_size()});
  FrameArrival frame;
  for (int row = 0; row < rows; ++row) {
    frame.tick += static_cast<Tick>(columns.tick_delta(row));
    frame.margin_ticks = columns.margin(row);
    frame.lag_ticks = columns.lag(row);
    frame.participant = row < columns.participant_size() ? columns.participant(row) : 0;
    world_.note_frame(frame);
  }
}

Status Subscription::take_state(const v1::TickUpdate& update) {
  const std::lock_guard lock(mutex_);
  tick_ = update.tick();
  if (update.digest() != 0) {
    digest_ = update.digest();
    digest_tick_ = tick_;
  }
  durable_tick_ = update.durable_tick();
  if (update.has_clock()) clock_ = decode(update.clock());
  rejections_not_listed_ += update.rejections_not_listed();
  take_outcomes(update);
  if (update.has_participants_away()) {
    const auto& numbers = update.participants_away().numbers();
    away_.assign(numbers.begin(), numbers.end());
  }
  if (update.has_snapshot()) {
    snapshot_ =
        EncounterSnapshot{tick_, last_sequence_number_, decode_all(update.snapshot().open_encounters())};
  }
  if (update.has_stays()) stays_ = Stays{update.stays().tick(), decode_all(update.stays().encounters())};
  for (const auto& score : update.scores())
    if (!set_score(decode(score))) return too_many_scores();
  return {};
}

Status Subscription::put(Arrivals arrivals) {
  if (inbox_.put(std::move(arrivals))) return {};
  return {ErrorCode::kResourceExhausted,
          "more events and rejections wait to be polled than events_queued_max allows",
          {},
          "events_queued_max"};
}

Status Subscription::check_sequence(const v1::TickUpdate& update, const std::vector<Event>& events,
                                    std::uint64_t* last) const {
  if (update.has_gap()) {
    const v1::SequenceRange& gap = update.gap();
    const bool is_next = gap.first() > *last && gap.first() - *last == 1;
    if (!is_next || gap.last() < gap.first()) return out_of_order("a gap", *last);
    *last = gap.last();
  }
  const std::uint64_t covered = update.last_sequence_number();
  if (update.has_snapshot()) {
    if (covered < *last) return out_of_order("a snapshot up to event " + std::to_string(covered), *last);
    *last = covered;
  }
  if (!events.empty()) {
    const std::uint64_t first = events.front().sequence_number;
    if (is_filtered_ ? first <= *last : first != *last + 1) {
      return out_of_order("event " + std::to_string(first), *last);
    }
    *last = events.back().sequence_number;
    if (!is_filtered_ && *last - first != events.size() - 1) {
      return out_of_order("fewer events than there are up to event " + std::to_string(*last), first);
    }
  }
  if (is_filtered_ ? covered < *last : covered != *last) {
    return out_of_order("an update up to event " + std::to_string(covered), *last);
  }
  *last = covered;
  return {};
}

/// Under the lock.
void Subscription::take_outcomes(const v1::TickUpdate& update) {
  facts_.put(update);
  for (const auto& verdict : update.claim_verdicts()) verdicts_.put({decode(verdict), update.tick()});
  for (const auto& warning : update.claim_warnings()) warnings_.put({decode(warning), update.tick()});
  for (const auto& change : update.owner_changes()) {
    for (Participant& seat : seats_) {
      if (change.with_stage() && change.to_participant() == seat.number) seat.acts_as_stage = true;
      if (change.with_stage() && change.from_participant() == seat.number) seat.acts_as_stage = false;
    }
  }
}

/// False: the table is full.
bool Subscription::set_score(const Score& score) {
  const auto known = std::ranges::find(scores_, score.participant, &Score::participant);
  if (score.has_left) {
    if (known != scores_.end() && known->name == score.name) scores_.erase(known);
  } else if (known != scores_.end()) {
    *known = score;
  } else {
    if (scores_.size() == kScoresMax) return false;
    scores_.push_back(score);
  }
  return true;
}

bool Subscription::fail_if_connecting(Status error) {
  const std::lock_guard lock(mutex_);
  if (state() != SessionState::kConnecting) return false;
  error_ = std::move(error);
  state_.store(SessionState::kFailed, std::memory_order_release);
  return true;
}

bool Subscription::finish(SessionState state, Status error) {
  const std::lock_guard lock(mutex_);
  if (is_over()) return false;
  error_ = std::move(error);
  state_.store(state, std::memory_order_release);
  return true;
}

void Subscription::end(const v1::Match& match) {
  {
    const std::lock_guard lock(mutex_);
    end_reason_ = decode(match).end_reason;
  }
  finish(SessionState::kEnded, {});
}

std::optional<Participant> Subscription::seat(ParticipantNumber number) const {
  const std::lock_guard lock(mutex_);
  const auto seat = std::ranges::find(seats_, number, &Participant::number);
  return seat == seats_.end() ? std::nullopt : std::optional(*seat);
}

std::optional<EncounterSnapshot> Subscription::take_snapshot() {
  const std::lock_guard lock(mutex_);
  return std::exchange(snapshot_, std::nullopt);
}

std::optional<Stays> Subscription::take_stays() {
  const std::lock_guard lock(mutex_);
  return std::exchange(stays_, std::nullopt);
}

}  // namespace sweepd::internal
