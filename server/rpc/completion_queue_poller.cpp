// SPDX-License-Identifier: MIT
#include "rpc/completion_queue_poller.h"

#include <grpc/support/time.h>

namespace sweepd::rpc {
namespace {

constexpr int kEventsPerPollMax = 64;

gpr_timespec to_timespec(runtime::TimePoint time) {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
  return {seconds.count(), static_cast<std::int32_t>((since - seconds).count()), GPR_CLOCK_MONOTONIC};
}

}  // namespace

runtime::Duration CompletionQueuePoller::poll(runtime::TimePoint deadline) {
  const runtime::TimePoint begin = runtime::steady_now();
  runtime::Duration waited{};
  gpr_timespec wait = to_timespec(deadline);
  for (int events = 0; events < kEventsPerPollMax; ++events) {
    void* tag = nullptr;
    bool ok = false;
    const bool is_event = queue_.AsyncNext(&tag, &ok, wait) == grpc::CompletionQueue::GOT_EVENT;
    if (events == 0) waited = runtime::steady_now() - begin;
    if (!is_event) break;
    static_cast<Tag*>(tag)->run(ok);
    wait = gpr_time_0(GPR_CLOCK_MONOTONIC);
    if (runtime::steady_now() - begin - waited > runtime::kRoundTimeMax) break;
  }
  return waited;
}

void CompletionQueuePoller::wake() {
  if (is_closed_ || is_alarm_set_.exchange(true, std::memory_order_acq_rel)) return;
  alarm_.Set(&queue_, gpr_time_0(GPR_CLOCK_MONOTONIC), to_void(*this));
}

// Before the loop looks at what was posted: a post that finds the flag still set is seen by that look.
void CompletionQueuePoller::run(bool /*ok*/) { is_alarm_set_.exchange(false, std::memory_order_acq_rel); }

void CompletionQueuePoller::close() {
  is_closed_ = true;
  queue_.Shutdown();
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) static_cast<Tag*>(tag)->run(ok);
}

}  // namespace sweepd::rpc
