// SPDX-License-Identifier: MIT
#include "runtime/feed/event_log.h"

#include <algorithm>

#include "base/assert.h"
#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "runtime/feed/packed_events.h"
#include "runtime/random_bytes.h"

namespace sweepd::runtime {
namespace {

std::uint64_t random_epoch() {
  std::uint64_t epoch = 0;
  while (epoch == 0) fill_with_random_bytes(&epoch, sizeof epoch);
  return epoch;
}

match::TickFacts facts_of(const match::TickOutput& output) {
  match::TickFacts facts;
  match::for_each_fact([](auto& kept, const auto& told) { kept.assign(told.begin(), told.end()); }, facts,
                       output);
  return facts;
}

}  // namespace

std::size_t LoggedTick::size() const {
  std::size_t size = event_count;
  if (facts == nullptr) return size;
  match::for_each_fact(
      [&](const auto& list) {
        for (const auto& fact : list) size += match::size_of(fact);
      },
      *facts);
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
  if (output.events.empty() && !match::has_facts(output)) return;
  pack_newest();
  rows_.push_back({.tick = static_cast<std::uint32_t>(output.tick),
                   .last_sequence_number = static_cast<std::uint32_t>(last_sequence_number_),
                   .place = packed_front_ + static_cast<std::uint32_t>(packed_.size()),
                   .digest_low = static_cast<std::uint32_t>(output.digest),
                   .digest_high = static_cast<std::uint32_t>(output.digest >> 32)});
  if (match::has_facts(output)) facts_.emplace(output.tick, facts_of(output));
  // Into the same memory again, unless it is far too large for these.
  if (newest_.capacity() > 4 * output.events.size() + 64) newest_.shrink_to_fit();
  newest_.assign(output.events.begin(), output.events.end());
  size_ += newest_tick().size();
}

LoggedTick EventLog::tick(std::size_t index) const {
  SWEEPD_ASSERT(index < rows_.size());
  const Row& row = rows_[index];
  const std::uint64_t last = last_sequence_number_of(row);
  LoggedTick tick{.tick = tick_of(row),
                  .digest = std::uint64_t{row.digest_high} << 32 | row.digest_low,
                  .last_sequence_number = last,
                  .event_count = static_cast<std::uint32_t>(last - sequence_number_before(index)),
                  .place = row.place};
  if (facts_.empty()) return tick;
  const auto facts = facts_.find(tick.tick);
  if (facts != facts_.end()) tick.facts = &facts->second;
  return tick;
}

std::size_t EventLog::first_after(match::Tick tick, std::uint64_t sequence_number) const {
  const auto is_before = [&](const Row& row) {
    return tick_of(row) <= tick && last_sequence_number_of(row) <= sequence_number;
  };
  return static_cast<std::size_t>(std::partition_point(rows_.begin(), rows_.end(), is_before) -
                                  rows_.begin());
}

void EventLog::pack_newest() {
  base::ByteWriter writer;
  pack(writer, newest_);
  packed_.append(writer.bytes());
  newest_.clear();
}

std::span<const collision::Event> EventLog::events_of(const LoggedTick& tick,
                                                      std::vector<collision::Event>& room) const {
  SWEEPD_ASSERT(!rows_.empty());
  if (tick.tick == tick_of(rows_.back())) return newest_;
  const std::string bytes =
      packed_.copy(tick.place - packed_front_, std::size_t{tick.event_count} * kPackedEventBytesMax);
  base::ByteReader reader(bytes);
  room.clear();
  unpack(reader, tick.event_count, tick.tick, tick.last_sequence_number - tick.event_count + 1, room);
  SWEEPD_ASSERT(reader.ok());
  return room;
}

bool EventLog::may_let_go(match::Tick tick, match::Tick told_to_all) const {
  if (size_ > limits_.events_max && rows_.size() > 1) return true;
  return !is_retained(tick) && (tick <= told_to_all || last_tick_ - tick >= kAgeMax);
}

void EventLog::trim(match::Tick told_to_all) {
  while (!rows_.empty() && may_let_go(tick_of(rows_.front()), told_to_all)) {
    const LoggedTick oldest = tick(0);
    forgotten_tick_ = oldest.tick;
    forgotten_sequence_number_ = oldest.last_sequence_number;
    size_ -= oldest.size();
    rows_.pop_front();
    if (oldest.facts != nullptr) facts_.erase(oldest.tick);
    const std::uint32_t packed = packed_front_ + static_cast<std::uint32_t>(packed_.size());
    const std::uint32_t front = rows_.empty() ? packed : rows_.front().place;
    packed_.drop(front - packed_front_);
    packed_front_ = front;
  }
  if (rows_.empty()) newest_.clear();
}

bool EventLog::covers(std::uint64_t sequence_number) const {
  if (sequence_number < forgotten_sequence_number_ || sequence_number > last_sequence_number_) return false;
  const std::size_t first_missed = first_after(last_tick_, sequence_number);
  return first_missed == rows_.size() || is_retained(tick_of(rows_[first_missed]));
}

std::uint64_t EventLog::sequence_number_before_newest() const {
  return rows_.empty() ? last_sequence_number_ : sequence_number_before(rows_.size() - 1);
}

}  // namespace sweepd::runtime
