// SPDX-License-Identifier: MIT
#include "runtime/loop/loop.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

/// What is posted beyond, or later than kRoundTimeMax, waits for the next round: ticks and the network come
/// before it.
constexpr int kPostedPerRoundMax = 256;

thread_local const Loop* current_loop = nullptr;

}  // namespace

Loop::Loop(Poller& poller, Clock clock, const LoopOptions& options)
    : poller_(poller),
      clock_(std::move(clock)),
      context_(1),
      ticks_(clock_(), options.catch_up_ticks_max),
      load_(options.load_limits) {}

bool Loop::is_current() const { return current_loop == this; }

void Loop::post_slice(std::function<void()> slice, bool is_load) {
  (is_load ? load_slices_ : slices_).push_back(std::move(slice));
}

void Loop::run() {
  SWEEPD_ASSERT(current_loop == nullptr);
  current_loop = this;
  cpu_clock_.start();
  stopped_ = false;
  while (!stopped_) {
    load_.has_waited(poller_.poll(poll_deadline()));
    pulse_.poll_ends();
    run_round();
  }
  run_last_slices();
  pulse_.stop();
  cpu_clock_.stop();
  current_loop = nullptr;
}

void Loop::stop() {
  post([this] { stopped_ = true; });
}

void Loop::wait_for_posters() const {
  while (posts_under_way_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

void Loop::run_round() {
  run_posted();
  ticks_.run_due(clock_);
  look_at_sources();
  run_slices();
}

TimePoint Loop::poll_deadline() {
  const TimePoint now = clock_();
  load_.round_begins(now);
  TimePoint deadline = std::min(ticks_.next_due().value_or(TimePoint::max()), now + kTimerResolution);
  for (const EventSource* source : sources_) deadline = std::min(deadline, source->next_look());
  if (posted_here_ || !load_slices_.empty()) deadline = now;
  if (!slices_.empty()) deadline = std::min(deadline, slice_due(now));
  pulse_.beat(now, std::max(now, deadline));
  return deadline;
}

void Loop::run_posted() {
  posted_here_ = false;
  context_.restart();  // Having run out of work, it would otherwise refuse to look again.
  const TimePoint end = clock_() + kRoundTimeMax;
  bool is_over = false;
  for (int runs = 1; !is_over && context_.poll_one() > 0; ++runs)
    is_over = runs == kPostedPerRoundMax || clock_() > end;
  if (is_over) posted_here_ = true;
}

void Loop::look_at_sources() {
  for (EventSource* const source : sources_) source->look(clock_());
}

TimePoint Loop::slice_due(TimePoint now) const {
  const auto next_tick = ticks_.next_due();
  if (!next_tick || now + slice_time_ <= *next_tick) return now;
  return std::max(now, last_slice_ + kSliceWaitMax);
}

void Loop::run_slices() {
  if (!load_slices_.empty()) {
    const auto slice = std::move(load_slices_.front());
    load_slices_.pop_front();
    slice();
  }
  if (!slices_.empty()) run_slice_in_gap();
}

void Loop::run_slice_in_gap() {
  const TimePoint begin = clock_();
  if (slice_due(begin) > begin) return;
  const auto slice = std::move(slices_.front());
  slices_.pop_front();
  load_.slice_begins(begin);
  slice();
  last_slice_ = clock_();
  load_.slice_ends(last_slice_);
  constexpr int kDecay = 8;  // A slice that took long is remembered for some slices more.
  slice_time_ = std::max<Duration>(last_slice_ - begin, slice_time_ - slice_time_ / kDecay);
}

// Calls wait in them, which are over by now and have to be let go.
void Loop::run_last_slices() {
  const auto last = std::exchange(slices_, {});
  for (const auto& slice : last) slice();
}

}  // namespace sweepd::runtime
