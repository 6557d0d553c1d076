// SPDX-License-Identifier: MIT
#include "runtime/journal/match_log.h"

#include <utility>

#include "replay/stored.h"
#include "runtime/journal/match_key_frame.h"

namespace sweepd::runtime {

MatchLog::MatchLog(match::Match& match, Options options)
    : match_(match),
      journal_(options.journal),
      key_(options.key),
      origin_(std::move(options.origin)),
      cast_(std::move(options.cast)) {
  if (journal_ == nullptr) return;
  recorder_.emplace(match_);
  durable_tick_ = match_.tick();
  if (origin_) append(RecordKind::kCreated, encode(*origin_));
  if (!has_hole_) origin_.reset();
}

base::Result<match::Participant, match::JoinError> MatchLog::join(const match::JoinRequest& request) {
  return recorder_ ? recorder_->join(request) : match_.join(request);
}

void MatchLog::leave(match::ParticipantNumber number) {
  return recorder_ ? recorder_->leave(number) : match_.leave(number);
}

void MatchLog::set_away(match::ParticipantNumber number) {
  return recorder_ ? recorder_->set_away(number) : match_.set_away(number);
}

bool MatchLog::set_back(match::ParticipantNumber number) {
  return recorder_ ? recorder_->set_back(number) : match_.set_back(number);
}

std::optional<match::Rejection> MatchLog::submit(match::ParticipantNumber number, match::Frame frame) {
  return recorder_ ? recorder_->submit(number, std::move(frame)) : match_.submit(number, std::move(frame));
}

const match::TickOutput& MatchLog::step(TickTimer* timer) {
  const match::TickOutput& output = recorder_ ? recorder_->step() : match_.step();
  if (timer != nullptr) timer->enter(TickPhase::kJournal);
  if (recorder_) write_tick();
  return output;
}

const match::TickOutput& MatchLog::end() {
  if (!recorder_) return match_.end();
  const match::TickOutput& output = recorder_->end();
  write_tick();
  // After a hole, too: else the next server would go on with a match that is over.
  if (has_hole_ && !origin_ && journal_->has_room()) has_hole_ = false;
  append(RecordKind::kEnded, replay::encode_ending(ending(replay::EndReason::kMatchEnded)));
  return output;
}

void MatchLog::write_tick() {
  const replay::TickRecord record = recorder_->take_tick();
  cast_.note(record);
  if (has_hole_) {
    has_lost_ticks_ = true;
    return begin_anew();
  }
  encoder_.add(record);
  append(RecordKind::kTick, encoder_.take());
  if (has_hole_) has_lost_ticks_ = true;
  if (!match_.ended() && match_.tick() % kKeyFrameTicks == 0) write_key_frame();
}

void MatchLog::write_key_frame() {
  append(RecordKind::kKeyFrame,
         encode(MatchKeyFrame{
             .tick = match_.tick(), .digest = match_.digest(), .cast = cast_, .snapshot = match_.save()}));
}

void MatchLog::append(RecordKind kind, std::string content) {
  if (has_hole_) return;
  note_durable();
  // Ticks have a share. A key frame may be larger than that by itself, and is what a hole ends with.
  const std::size_t bytes = kind == RecordKind::kTick ? content.size() : 0;
  Journal::Position position = 0;
  if (waiting_bytes_ + bytes <= journal_->match_bytes_max()) {
    position = journal_->append({key_, kind, match_.tick(), std::move(content)});
  }
  if (position == 0) {
    has_hole_ = true;
    return;
  }
  position_ = position;
  const bool is_place = kind == RecordKind::kTick || kind == RecordKind::kKeyFrame;
  waiting_.push_back({position, is_place ? std::optional(match_.tick()) : std::nullopt, bytes});
  waiting_bytes_ += bytes;
}

void MatchLog::begin_anew() {
  if (match_.ended() || !journal_->has_room()) return;
  has_hole_ = false;
  if (origin_) append(RecordKind::kCreated, encode(*origin_));
  if (!has_hole_) origin_.reset();
  write_key_frame();
  write_state(std::move(state_));
}

void MatchLog::write_state(StoredState state) {
  state_ = std::move(state);
  if (journal_ == nullptr) return;
  state_.tick = match_.tick();
  state_.arrivals = recorder_->arrivals();
  append(RecordKind::kState, encode(state_));
}

void MatchLog::note_durable() const {
  const Journal::Position durable = journal_->durable_position();
  for (; !waiting_.empty() && waiting_.front().position <= durable; waiting_.pop_front()) {
    durable_tick_ = waiting_.front().tick.value_or(durable_tick_);
    waiting_bytes_ -= waiting_.front().bytes;
  }
}

match::Tick MatchLog::durable_tick() const {
  if (journal_ != nullptr) note_durable();
  return journal_ == nullptr ? 0 : durable_tick_;
}

bool MatchLog::is_crowded() const {
  if (journal_ == nullptr || journal_->is_failing()) return false;
  note_durable();
  return journal_->is_crowded() || waiting_bytes_ > journal_->match_bytes_max() / 2;
}

replay::Ending MatchLog::ending(replay::EndReason reason) const {
  return {.reason = reason,
          .tick_count = match_.tick(),
          .final_digest = match_.digest(),
          .scores = replay::scores_of(match_),
          .cast = cast_};
}

}  // namespace sweepd::runtime
