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

}  // namespace

std::size_t LoggedTick::size() const {
  std::size_t size = events.size() + destructions.size() + late_participants.size() + owner_changes.size();
  for (const match::OwnerChange& change : owner_changes) size += change.objects.size();
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
  LoggedTick tick{output.tick,
                  output.digest,
                  last_sequence_number_,
                  {output.events.begin(), output.events.end()},
                  {output.destructions.begin(), output.destructions.end()},
                  {output.late_participants.begin(), output.late_participants.end()},
                  {output.owner_changes.begin(), output.owner_changes.end()}};
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
