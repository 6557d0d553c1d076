// SPDX-License-Identifier: MIT
#include "runtime/loop/loop_timer.h"

#include <utility>

namespace sweepd::runtime {

LoopTimer::LoopTimer(Loop& loop) { timer_.emplace(loop.context()); }

void LoopTimer::start(Duration time, std::function<void()> work) {
  timer_->expires_after(time);
  wait_for(std::move(work));
}

void LoopTimer::wait_for(std::function<void()> work) {
  work_ = std::make_shared<std::function<void()>>(std::move(work));
  timer_->async_wait([this, weak = std::weak_ptr(work_)](const boost::system::error_code& /*error*/) {
    // Gone with what it was to do, and this timer may be with it. Asio alone does not say so: what is due and
    // waits for its turn cannot be cancelled.
    if (weak.expired()) return;
    const auto due = std::exchange(work_, nullptr);
    (*due)();
  });
}

void LoopTimer::cancel() {
  work_.reset();
  timer_->cancel();
}

void LoopTimer::move_to(Loop& loop) {
  const auto waiting = std::exchange(work_, nullptr);
  const TimePoint due = timer_->expiry();
  timer_.emplace(loop.context());  // A timer belongs to its context for life.
  if (!waiting) return;
  timer_->expires_at(due);
  wait_for(std::move(*waiting));
}

}  // namespace sweepd::runtime
