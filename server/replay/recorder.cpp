// SPDX-License-Identifier: MIT
#include "replay/recorder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.h"

namespace sweepd::replay {

base::Result<match::Participant, match::JoinError> Recorder::join(const match::JoinRequest& request) {
  if (joins_ == kJoinsPerTickMax && !match_.ended()) return match::JoinError::kMatchFull;
  auto joined = match_.join(request);
  if (!joined) return joined;
  ++joins_;
  inputs_.push_back(Join{joined->number, request.name, request.role});
  return joined;
}

void Recorder::leave(ParticipantNumber number) {
  if (match_.ended() || !match_.find_participant(number)) return;
  match_.leave(number);
  inputs_.push_back(Leave{number});
}

void Recorder::set_away(ParticipantNumber number) {
  const auto participant = match_.find_participant(number);
  if (match_.ended() || !participant || participant->is_away) return;
  match_.set_away(number);
  inputs_.push_back(Away{number});
}

bool Recorder::set_back(ParticipantNumber number) {
  const auto participant = match_.find_participant(number);
  const bool was_away = participant && participant->is_away;
  if (!match_.set_back(number)) return false;
  if (was_away && !forget_departure(number)) inputs_.push_back(Back{number});
  return true;
}

/// With no tick in between, nothing has come of its absence; and nobody can fill the log by coming and going.
bool Recorder::forget_departure(ParticipantNumber number) {
  const auto is_departure = [number](const Input& input) {
    const Away* away = std::get_if<Away>(&input);
    return away != nullptr && away->number == number;
  };
  const auto last = std::find_if(inputs_.rbegin(), inputs_.rend(), is_departure);
  if (last == inputs_.rend()) return false;
  inputs_.erase(std::next(last).base());
  return true;
}

std::optional<match::Rejection> Recorder::submit(ParticipantNumber number, match::Frame frame) {
  const auto participant = match_.find_participant(number);
  if (!participant || participant->role == match::Role::kObserver) {
    return match_.submit(number, std::move(frame));
  }
  // As it came in: the match makes its parts ready in place.
  inputs_.push_back(Submission{number, frame});
  auto rejection = match_.submit(number, std::move(frame));
  if (rejection) inputs_.pop_back();
  return rejection;
}

const match::TickOutput& Recorder::step() {
  const match::TickOutput& output = match_.step();
  close(output, false);
  return output;
}

const match::TickOutput& Recorder::end() {
  const match::TickOutput& output = match_.end();
  close(output, true);
  return output;
}

void Recorder::close(const match::TickOutput& output, bool ends_match) {
  SWEEPD_ASSERT(!closed_);
  closed_ = TickRecord{.tick = output.tick,
                       .digest = output.digest,
                       .ends_match = ends_match,
                       .inputs = std::exchange(inputs_, {})};
  joins_ = 0;
}

std::vector<Input> Recorder::arrivals() const {
  std::vector<Input> arrivals;
  std::ranges::copy_if(inputs_, std::back_inserter(arrivals),
                       [](const Input& input) { return !std::holds_alternative<Submission>(input); });
  return arrivals;
}

TickRecord Recorder::take_tick() {
  SWEEPD_ASSERT(closed_.has_value());
  TickRecord record = *std::move(closed_);
  closed_.reset();
  return record;
}

}  // namespace sweepd::replay
