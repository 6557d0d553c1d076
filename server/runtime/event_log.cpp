// SPDX-License-Identifier: MIT
#include "runtime/event_log.h"

#include <algorithm>

#include "base/assert.h"
#include "runtime/random_bytes.h"

namespace sweepd::runtime {
namespace {

std::uint64_t random_epoch() {
  std::uint64_t epoch = 0;
  while (epoch == 0) fill_with_random_bytes(&epoch, sizeof epoch);
  return epoch;
}

LoggedEvent logged(const collision::Event& event, const match::EventOwners& owners) {
  static_assert(match::kParticipantsMax <= 256, "who has objects has a number of one byte");
  return {.object_a = event.key.object_a,
          .object_b = event.key.object_b,
          .time_of_impact = event.time_of_impact,
          .layer_a = event.key.layer_a,
          .layer_b = event.key.layer_b,
          .parts = event.parts,
          .reason = event.reason,
          .owner_a = static_cast<std::uint8_t>(owners.a),
          .owner_b = static_cast<std::uint8_t>(owners.b)};
}

std::vector<LoggedEvent> logged_events(const match::TickOutput& output) {
  SWEEPD_ASSERT(output.event_owners.size() == output.events.size());
  std::vector<LoggedEvent> events;
  events.reserve(output.events.size());
  for (std::size_t i = 0; i < output.events.size(); ++i) {
    events.push_back(logged(output.events[i], output.event_owners[i]));
  }
  return events;
}

std::unique_ptr<const LoggedTick::Rest> logged_rest(const match::TickOutput& output) {
  if (output.destructions.empty() && output.late_participants.empty() && output.owner_changes.empty()) {
    return nullptr;
  }
  return std::make_unique<const LoggedTick::Rest>(
      LoggedTick::Rest{{output.destructions.begin(), output.destructions.end()},
                       {output.late_participants.begin(), output.late_participants.end()},
                       {output.owner_changes.begin(), output.owner_changes.end()}});
}

}  // namespace

collision::Event LoggedTick::event(std::size_t index) const {
  const LoggedEvent& logged = events[index];
  const bool is_enter = logged.reason == collision::ExitReason::kNone;
  return {.sequence_number = last_sequence_number - events.size() + index + 1,
          .tick = tick,
          .kind = is_enter ? collision::EventKind::kEnter : collision::EventKind::kExit,
          .reason = logged.reason,
          .key = {logged.object_a, logged.object_b, logged.layer_a, logged.layer_b},
          .parts = logged.parts,
          .time_of_impact = logged.time_of_impact};
}

std::span<const match::Destruction> LoggedTick::destructions() const {
  if (rest == nullptr) return {};
  return rest->destructions;
}

std::span<const match::ParticipantNumber> LoggedTick::late_participants() const {
  if (rest == nullptr) return {};
  return rest->late_participants;
}

std::span<const match::OwnerChange> LoggedTick::owner_changes() const {
  if (rest == nullptr) return {};
  return rest->owner_changes;
}

std::size_t LoggedTick::size() const {
  if (rest == nullptr) return events.size();
  std::size_t size = events.size() + rest->destructions.size() + rest->late_participants.size();
  for (const match::OwnerChange& change : rest->owner_changes) size += 1 + change.objects.size();
  return size;
}

EventLog::EventLog(EventLogLimits limits, match::Tick tick, std::uint64_t sequence_number)
    : limits_(limits),
      epoch_(random_epoch()),
      last_tick_(tick),
      last_sequence_number_(sequence_number),
      forgotten_tick_(tick),
      forgotten_sequence_number_(sequence_number) {}

void EventLog::append(const match::TickOutput& output) {
  SWEEPD_ASSERT(output.tick > last_tick_);
  last_tick_ = output.tick;
  if (!output.events.empty()) {
    SWEEPD_ASSERT(output.events.front().sequence_number == last_sequence_number_ + 1);
    last_sequence_number_ = output.events.back().sequence_number;
  }
  LoggedTick tick{output.tick, output.digest, last_sequence_number_, logged_events(output),
                  logged_rest(output)};
  if (tick.size() == 0) return;
  size_ += tick.size();
  ticks_.push_back(std::move(tick));
}

bool EventLog::may_let_go(const LoggedTick& tick, match::Tick told_to_all) const {
  if (size_ > limits_.events_max && ticks_.size() > 1) return true;
  return !is_retained(tick) && tick.tick <= told_to_all;
}

void EventLog::trim(match::Tick told_to_all) {
  while (!ticks_.empty() && may_let_go(ticks_.front(), told_to_all)) {
    const LoggedTick& oldest = ticks_.front();
    forgotten_tick_ = oldest.tick;
    forgotten_sequence_number_ = oldest.last_sequence_number;
    size_ -= oldest.size();
    ticks_.pop_front();
  }
}

bool EventLog::covers(std::uint64_t sequence_number) const {
  if (sequence_number < forgotten_sequence_number_ || sequence_number > last_sequence_number_) return false;
  const auto first_missed = std::upper_bound(
      ticks_.begin(), ticks_.end(), sequence_number,
      [](std::uint64_t number, const LoggedTick& tick) { return number < tick.last_sequence_number; });
  return first_missed == ticks_.end() || is_retained(*first_missed);
}

std::uint64_t EventLog::sequence_number_before_newest() const {
  if (ticks_.empty()) return last_sequence_number_;
  return ticks_.back().last_sequence_number - ticks_.back().events.size();
}

}  // namespace sweepd::runtime
