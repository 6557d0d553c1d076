// SPDX-License-Identifier: MIT
#include "runtime/loop/tick_schedule.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/assert.h"
#include "runtime/loop/poller.h"

namespace sweepd::runtime {
namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

Duration intervals_long(std::uint64_t intervals, std::uint32_t rate_hz) {
  return std::chrono::nanoseconds(intervals / rate_hz * kNanosecondsPerSecond +
                                  intervals % rate_hz * kNanosecondsPerSecond / rate_hz);
}

/// So that matches that are alike take turns by when they are due.
unsigned cost_class(Duration cost) {
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(cost).count();
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(microseconds)));
}

/// One tick that lost its core for a while says little: it doubles at most. And a cheap one says little of a
/// match that has others.
Duration cost_after(Duration cost, Duration tick) {
  constexpr std::chrono::microseconds kRise{32};
  constexpr int kDecay = 8;
  return tick > cost ? std::min(tick, 2 * cost + kRise) : cost - (cost - tick) / kDecay;
}

}  // namespace

TickSchedule::TickSchedule(TimePoint epoch, std::uint32_t catch_up_ticks_max)
    : epoch_(epoch), catch_up_ticks_max_(catch_up_ticks_max) {
  SWEEPD_ASSERT(catch_up_ticks_max <= kCatchUpTicksMaxMax);
}

TimePoint TickSchedule::Ticker::due() const {
  return is_alarm() ? origin : origin + intervals_long(intervals, rate_hz);
}

void TickSchedule::put(Ticker& ticker, Queue& queue, const Place& place) {
  SWEEPD_ASSERT(ticker.queue == nullptr);
  bool is_new = false;
  if (ticker.node.empty()) {
    is_new = queue.insert(place).second;
  } else {
    ticker.node.value() = place;
    is_new = queue.insert(std::move(ticker.node)).inserted;
  }
  SWEEPD_ASSERT(is_new);
  ticker.queue = &queue;
  ticker.place = place;
}

void TickSchedule::dequeue(Ticker& ticker) {
  if (ticker.queue == nullptr) return;
  ticker.node = std::exchange(ticker.queue, nullptr)->extract(ticker.place);
  SWEEPD_ASSERT(!ticker.node.empty());
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
  SWEEPD_ASSERT(rate_hz > 0 && ticker.queue != nullptr && !ticker.is_alarm());
  const TimePoint last_due = ticker.due() - intervals_long(1, ticker.rate_hz);
  dequeue(ticker);
  ticker.rate_hz = rate_hz;
  ticker.origin = std::max(last_due + intervals_long(1, rate_hz), now);
  ticker.intervals = 0;
  enqueue(id, ticker);
}

void TickSchedule::set_alarm(TickerId id, TimePoint due) {
  Ticker& ticker = tickers_.at(id);
  SWEEPD_ASSERT(ticker.is_alarm());
  dequeue(ticker);
  ticker.origin = due;
  enqueue(id, ticker);
}

void TickSchedule::remove(TickerId id) {
  const auto it = tickers_.find(id);
  SWEEPD_ASSERT(it != tickers_.end());
  dequeue(it->second);
  if (running_ == id || preparing_ == id) {
    it->second.removed = true;
    return;
  }
  tickers_.erase(it);
}

TickerId TickSchedule::move(TickerId id, TickSchedule& target) {
  SWEEPD_ASSERT(!running_ && !preparing_ && !target.running_ && !target.preparing_ && &target != this);
  Ticker& ticker = tickers_.at(id);
  const bool was_queued = ticker.queue != nullptr;
  dequeue(ticker);
  ticker.prepared_round = 0;  // The rounds of the target are others.
  const TickerId new_id = ++target.last_id_;
  Ticker& moved = target.tickers_.emplace(new_id, std::move(ticker)).first->second;
  tickers_.erase(id);
  if (was_queued) target.enqueue(new_id, moved);
  return new_id;
}

std::optional<TimePoint> TickSchedule::next_due() const {
  const Queue& first = due_.empty() ? waiting_ : due_;
  if (first.empty()) return std::nullopt;
  return first.begin()->due;
}

void TickSchedule::run_due(const Clock& clock) {
  SWEEPD_ASSERT(!running_ && !preparing_);
  ++round_;
  TimePoint now = clock();
  if (due_.empty()) walk_begin_ = now;
  const TimePoint end = now + kRoundTimeMax;
  for (find_due(now); !due_.empty() && now <= end; find_due(now)) now = run_first(now, clock);
}

void TickSchedule::find_due(TimePoint now) {
  while (!waiting_.empty() && waiting_.begin()->due <= now) {
    const Place place = *waiting_.begin();
    Ticker& ticker = tickers_.at(place.id);
    dequeue(ticker);
    put(ticker, due_, {cost_class(ticker.cost), place.due, place.id});
  }
}

const DueTick& TickSchedule::running() const {
  SWEEPD_ASSERT(running_);
  return running_tick_;
}

/// Prepares the ticker whose tick is the first, or runs that. Returns when it is over.
TimePoint TickSchedule::run_first(TimePoint now, const Clock& clock) {
  const TickerId id = due_.begin()->id;
  Ticker& ticker = tickers_.at(id);
  if (ticker.prepare && ticker.prepared_round != round_) {
    prepare(id, ticker);  // Which may have changed what is due.
    return clock();
  }
  dequeue(ticker);
  running_ = id;
  running_tick_ = {ticker.due(), std::exchange(ticker.skipped, 0)};
  ticker.tick();  // May add others; a reference into an unordered map stays good.
  running_.reset();
  const TimePoint end = clock();
  if (ticker.removed) {
    tickers_.erase(id);
    return end;
  }
  ticker.cost = cost_after(ticker.cost, end - now);
  if (ticker.is_alarm()) return end;
  set_next_interval(ticker, now, end);
  enqueue(id, ticker);
  return end;
}

void TickSchedule::prepare(TickerId id, Ticker& ticker) {
  ticker.prepared_round = round_;
  preparing_ = id;
  ticker.prepare();
  preparing_.reset();
  if (ticker.removed) tickers_.erase(id);
}

void TickSchedule::set_next_interval(Ticker& ticker, TimePoint begin, TimePoint end) const {
  ++ticker.intervals;
  ticker.behind = ticker.due() > begin ? 0 : ticker.behind + 1;
  if (ticker.behind == 0) return;
  // A walk that takes longer than an interval makes up for nothing, it falls further behind.
  const bool is_slow = end - walk_begin_ >= intervals_long(1, ticker.rate_hz);
  if (!is_slow && ticker.behind <= catch_up_ticks_max_) return;
  skip_what_is_due(ticker, begin);
  ticker.behind = 0;
}

// By whole intervals: the phase stays.
void TickSchedule::skip_what_is_due(Ticker& ticker, TimePoint now) {
  const std::uint64_t before = ticker.intervals;
  ticker.intervals += static_cast<std::uint64_t>((now - ticker.due()) / intervals_long(1, ticker.rate_hz));
  while (ticker.due() <= now) ++ticker.intervals;
  ticker.skipped += ticker.intervals - before;
}

}  // namespace sweepd::runtime
