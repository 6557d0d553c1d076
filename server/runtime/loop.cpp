// SPDX-License-Identifier: MIT
#include "runtime/loop.h"

#include <algorithm>
#include <thread>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

constexpr int kPostedPerRoundMax =
    256;  // What is posted beyond waits for the next round: the network's turn comes.

thread_local const Loop* current_loop = nullptr;

}  // namespace

Loop::Loop(Poller& poller, Clock clock, const LoopOptions& options)
    : poller_(poller),
      clock_(std::move(clock)),
      context_(1),
      ticks_(clock_(), options.catch_up_ticks_max),
      load_(options.load_limits) {}

bool Loop::is_current() const { return current_loop == this; }

void Loop::post_slice(std::function<void()> slice) { slices_.push_back(std::move(slice)); }

void Loop::run() {
  SWEEPD_ASSERT(current_loop == nullptr);
  current_loop = this;
  stopped_ = false;
  while (!stopped_) {
    load_.has_waited(poller_.poll(poll_deadline()));
    run_round();
  }
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
  run_slice();
}

TimePoint Loop::poll_deadline() {
  const TimePoint now = clock_();
  load_.round_begins(now);
  if (posted_here_ || !slices_.empty()) return now;
  return std::min(ticks_.next_due().value_or(TimePoint::max()), now + kTimerResolution);
}

void Loop::run_posted() {
  posted_here_ = false;
  context_.restart();  // Having run out of work, it would otherwise refuse to look again.
  int runs = 0;
  while (runs < kPostedPerRoundMax && context_.poll_one() > 0) ++runs;
  if (runs == kPostedPerRoundMax) posted_here_ = true;
}

void Loop::run_slice() {
  if (slices_.empty()) return;
  const auto slice = std::move(slices_.front());
  slices_.pop_front();
  load_.slice_begins(clock_());
  slice();
  load_.slice_ends(clock_());
}

}  // namespace sweepd::runtime
