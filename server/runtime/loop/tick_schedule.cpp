// SPDX-License-Identifier: MIT
#include "runtime/loop/tick_schedule.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

Duration intervals_long(std::uint64_t intervals, std::uint32_t rate_hz) {
  return std::chrono::nanoseconds(intervals / rate_hz * kNanosecondsPerSecond +
                                  intervals % rate_hz * kNanosecondsPerSecond / rate_hz);
}

}  // namespace

TickSchedule::TickSchedule(TimePoint epoch, std::uint32_t catch_up_ticks_max)
    : epoch_(epoch), catch_up_ticks_max_(catch_up_ticks_max) {
  SWEEPD_ASSERT(catch_up_ticks_max <= kCatchUpTicksMaxMax);
}

TimePoint TickSchedule::Ticker::due() const {
  return is_alarm() ? origin : origin + intervals_long(intervals, rate_hz);
}

void TickSchedule::enqueue(TickerId id, Ticker& ticker) {
  if (ticker.node.empty()) {
    ticker.queued = queue_.emplace(ticker.due(), id).second;
  } else {
    ticker.node.value() = {ticker.due(), id};
    ticker.queued = queue_.insert(std::move(ticker.node)).inserted;
  }
  SWEEPD_ASSERT(ticker.queued);
}

void TickSchedule::dequeue(TickerId id, Ticker& ticker) {
  if (!ticker.queued) return;
  ticker.node = queue_.extract({ticker.due(), id});
  SWEEPD_ASSERT(!ticker.node.empty());
  ticker.queued = false;
}

TimePoint TickSchedule::first_due(TickerId id, std::uint32_t rate_hz, TimePoint now) const {
  // 7 and 16 have no common divisor: neighbours land far apart, and sixteen in a row on sixteen phases.
  const std::uint64_t group = id * 7 % kPhaseGroups;
  const Duration interval = intervals_long(1, rate_hz);
  const Duration phase = interval * group / kPhaseGroups;
  const Duration since = now - epoch_ - phase;
  const auto passed = since / interval;
  TimePoint due = epoch_ + phase + interval * passed;
  while (due <= now) due += interval;
  return due;
}

TickerId TickSchedule::add(std::uint32_t rate_hz, TimePoint now, std::function<void()> tick,
                           std::function<void()> prepare) {
  SWEEPD_ASSERT(rate_hz > 0);
  const TickerId id = ++last_id_;
  Ticker ticker;
  ticker.tick = std::move(tick);
  ticker.prepare = std::move(prepare);
  ticker.rate_hz = rate_hz;
  ticker.origin = first_due(id, rate_hz, now);
  enqueue(id, tickers_.emplace(id, std::move(ticker)).first->second);
  return id;
}

TickerId TickSchedule::add_alarm(std::function<void()> tick) {
  const TickerId id = ++last_id_;
  tickers_[id].tick = std::move(tick);
  return id;
}

void TickSchedule::set_rate(TickerId id, std::uint32_t rate_hz, TimePoint now) {
  Ticker& ticker = tickers_.at(id);
  SWEEPD_ASSERT(rate_hz > 0 && ticker.queued && !ticker.is_alarm());
  const TimePoint last_due = ticker.due() - intervals_long(1, ticker.rate_hz);
  dequeue(id, ticker);
  ticker.rate_hz = rate_hz;
  ticker.origin = std::max(last_due + intervals_long(1, rate_hz), now);
  ticker.intervals = 0;
  enqueue(id, ticker);
}

void TickSchedule::set_alarm(TickerId id, TimePoint due) {
  Ticker& ticker = tickers_.at(id);
  SWEEPD_ASSERT(ticker.is_alarm());
  dequeue(id, ticker);
  ticker.origin = due;
  enqueue(id, ticker);
}

void TickSchedule::remove(TickerId id) {
  const auto it = tickers_.find(id);
  SWEEPD_ASSERT(it != tickers_.end());
  dequeue(id, it->second);
  if (running_ == id || preparing_ == id) {
    it->second.removed = true;
    return;
  }
  tickers_.erase(it);
}

TickerId TickSchedule::move(TickerId id, TickSchedule& target) {
  SWEEPD_ASSERT(!running_ && !preparing_ && !target.running_ && !target.preparing_ && &target != this);
  Ticker& ticker = tickers_.at(id);
  const bool was_queued = ticker.queued;
  dequeue(id, ticker);
  ticker.walk = ticker.prepared_walk = 0;  // Those of the target are others.
  const TickerId new_id = ++target.last_id_;
  Ticker& moved = target.tickers_.emplace(new_id, std::move(ticker)).first->second;
  tickers_.erase(id);
  if (was_queued) target.enqueue(new_id, moved);
  return new_id;
}

std::optional<TimePoint> TickSchedule::next_due() const {
  if (queue_.empty()) return std::nullopt;
  return queue_.begin()->first;
}

void TickSchedule::run_due(const Clock& clock) {
  SWEEPD_ASSERT(!running_ && !preparing_);
  const TimePoint now = clock();
  ++walk_;
  while (!queue_.empty() && queue_.begin()->first <= now) {
    const TickerId id = queue_.begin()->second;
    Ticker& ticker = tickers_.at(id);
    if (ticker.prepare && ticker.prepared_walk != walk_) {
      prepare(id, ticker);  // Which may have changed what is due.
      continue;
    }
    dequeue(id, ticker);
    run(id, ticker, now, clock);
  }
}

void TickSchedule::prepare(TickerId id, Ticker& ticker) {
  ticker.prepared_walk = walk_;
  preparing_ = id;
  ticker.prepare();
  preparing_.reset();
  if (ticker.removed) tickers_.erase(id);
}

const DueTick& TickSchedule::running() const {
  SWEEPD_ASSERT(running_);
  return running_tick_;
}

void TickSchedule::run(TickerId id, Ticker& ticker, TimePoint now, const Clock& clock) {
  if (ticker.walk != walk_) ticker.ticks_in_walk = 0;
  ticker.walk = walk_;
  ++ticker.ticks_in_walk;
  running_ = id;
  running_tick_ = {ticker.due(), std::exchange(ticker.skipped, 0)};
  ticker.tick();  // May add others; a reference into an unordered map stays good.
  running_.reset();
  if (ticker.removed) {
    tickers_.erase(id);
  } else if (!ticker.is_alarm()) {
    set_next_interval(ticker, now, clock);
    enqueue(id, ticker);
  }
}

void TickSchedule::set_next_interval(Ticker& ticker, TimePoint now, const Clock& clock) const {
  ++ticker.intervals;
  if (ticker.due() > now) return;
  // A walk that takes longer than an interval makes up for nothing, it falls further behind; and the
  // network, which waits meanwhile, has waited long enough.
  const bool is_slow = clock() - now >= intervals_long(1, ticker.rate_hz);
  if (is_slow || ticker.ticks_in_walk > catch_up_ticks_max_) skip_what_is_due(ticker, now);
}

// By whole intervals: the phase stays.
void TickSchedule::skip_what_is_due(Ticker& ticker, TimePoint now) {
  const std::uint64_t before = ticker.intervals;
  ticker.intervals += static_cast<std::uint64_t>((now - ticker.due()) / intervals_long(1, ticker.rate_hz));
  while (ticker.due() <= now) ++ticker.intervals;
  ticker.skipped += ticker.intervals - before;
}

}  // namespace sweepd::runtime
