// SPDX-License-Identifier: MIT
#include "runtime/journal/match_log.h"

#include <algorithm>
#include <utility>

#include "replay/stored.h"
#include "runtime/journal/match_key_frame.h"
#include "runtime/wall_clock.h"

namespace sweepd::runtime {

MatchLog::Writing::Writing(match::Tick durable, Options options)
    : journal(*options.journal),
      key(options.key),
      origin(std::move(options.origin)),
      new_holders(std::move(options.holders)),
      durable_tick(durable) {}

MatchLog::MatchLog(replay::Recorder& recorder, Options options)
    : recorder_(recorder),
      match_(recorder.match()),
      cast_(std::move(options.cast)),
      timeline_(std::move(options.timeline)),
      clock_(options.clock.value_or(ClockState{false, match_.config().tick_rate_hz})),
      writing_(options.journal == nullptr ? nullptr
                                          : std::make_unique<Writing>(match_.tick(), std::move(options))) {
  if (writing_ == nullptr) return;
  if (!writing_->origin)  // It has come back.
    timeline_.note({match_.tick(), unix_time_ms(), clock_.is_paused, clock_.tick_rate_hz, true});
  if (writing_->origin) append(RecordKind::kCreated, encode(*writing_->origin));
  if (!writing_->has_hole) writing_->origin.reset();
}

void MatchLog::note_time() {
  timeline_.end_unix_ms = unix_time_ms();
  if (match_.tick() == 1) timeline_.start_unix_ms = timeline_.end_unix_ms;
}

void MatchLog::note_clock(const ClockState& clock) {
  if (clock == clock_) return;
  clock_ = clock;
  timeline_.note({match_.tick(), unix_time_ms(), clock.is_paused, clock.tick_rate_hz, false});
}

/// Of holders with a ticket: without one, a seat has no owner, or an address.
void MatchLog::note_holders(const std::vector<StoredState::Owner>& owners) {
  const auto noted = std::exchange(noted_owners_, {});
  for (const StoredState::Owner& owner : owners) {
    const auto participant = match_.find_participant(owner.number);
    if (!participant) continue;
    noted_owners_.emplace_back(owner, participant->name);
    if (std::ranges::find(noted, noted_owners_.back()) != noted.end()) continue;
    const replay::TicketSubject subject = ticket_subject_of(owner.key);
    if (!subject.is_known() || participant->role == match::Role::kObserver) continue;
    replay::SeatHolder holder{owner.number, participant->name, subject};
    if (cast_.note(holder, match_) && !has_many_holders()) writing_->new_holders.push_back(std::move(holder));
  }
}

void MatchLog::write_tick() {
  if (!writing_) return;
  note_time();
  replay::Recorder::ClosedTick tick = recorder_.take_tick();
  cast_.note(tick.arrivals);
  if (writing_->has_hole) {
    writing_->has_lost_ticks = true;
    begin_anew();
  } else {
    append(RecordKind::kTick, std::move(tick.bytes));
    if (writing_->has_hole) writing_->has_lost_ticks = true;
    const bool is_due = match_.tick() % kKeyFrameTicks == 0 || has_many_holders();
    if (is_due && !match_.ended()) write_key_frame();
  }
  if (match_.ended()) write_ending();
}

/// After a hole, too: else the next server would go on with a match that is over.
void MatchLog::write_ending() {
  if (writing_->has_hole && !writing_->origin && writing_->journal.has_room()) writing_->has_hole = false;
  append(RecordKind::kEnded, replay::encode_ending(ending(replay::EndReason::kMatchEnded)));
}

void MatchLog::write_key_frame() {
  append(RecordKind::kKeyFrame, encode(MatchKeyFrame{.tick = match_.tick(),
                                                     .digest = match_.digest(),
                                                     .cast = cast_,
                                                     .snapshot = match_.save(),
                                                     .unix_ms = timeline_.end_unix_ms}));
  if (!writing_->has_hole) writing_->new_holders.clear();
}

void MatchLog::append(RecordKind kind, std::string content) {
  if (writing_->has_hole) return;
  writing_->note_durable();
  // Ticks have a share. A key frame may be larger than that by itself, and is what a hole ends with.
  const std::size_t bytes = kind == RecordKind::kTick ? content.size() : 0;
  writing_->written_bytes += content.size();
  Journal::Position position = 0;
  if (writing_->waiting_bytes + bytes <= writing_->journal.match_bytes_max()) {
    position = writing_->journal.append({writing_->key, kind, match_.tick(), std::move(content)});
  }
  if (position == 0) {
    writing_->has_hole = true;
    return;
  }
  writing_->position = position;
  const bool is_place = kind == RecordKind::kTick || kind == RecordKind::kKeyFrame;
  writing_->waiting.push_back({position, is_place ? std::optional(match_.tick()) : std::nullopt, bytes});
  writing_->waiting_bytes += bytes;
}

void MatchLog::begin_anew() {
  if (match_.ended() || !writing_->journal.has_room()) return;
  writing_->has_hole = false;
  if (writing_->origin) append(RecordKind::kCreated, encode(*writing_->origin));
  if (!writing_->has_hole) writing_->origin.reset();
  write_key_frame();
  write_state(std::move(writing_->state));
}

void MatchLog::write_state(StoredState state) {
  if (!writing_) return;
  note_clock(state.clock);
  note_holders(state.owners);
  writing_->state = std::move(state);
  writing_->state.timeline = timeline_;
  writing_->state.holders = writing_->new_holders;
  writing_->state.tick = match_.tick();
  writing_->state.arrivals = recorder_.arrivals();
  append(RecordKind::kState, encode(writing_->state));
}

void MatchLog::Writing::note_durable() {
  const Journal::Position durable = journal.durable_position();
  for (; !waiting.empty() && waiting.front().position <= durable; waiting.pop_front()) {
    durable_tick = waiting.front().tick.value_or(durable_tick);
    waiting_bytes -= waiting.front().bytes;
  }
}

match::Tick MatchLog::durable_tick() const {
  if (!writing_) return 0;
  writing_->note_durable();
  return writing_->durable_tick;
}

bool MatchLog::is_crowded() const {
  if (!writing_ || writing_->journal.is_failing()) return false;
  writing_->note_durable();
  return writing_->journal.is_crowded() || writing_->waiting_bytes > writing_->journal.match_bytes_max() / 2;
}

replay::Ending MatchLog::ending(replay::EndReason reason) const {
  return {.reason = reason,
          .tick_count = match_.tick(),
          .final_digest = match_.digest(),
          .scores = replay::scores_of(match_),
          .cast = cast_,
          .timeline = timeline_};
}

}  // namespace sweepd::runtime
