// SPDX-License-Identifier: MIT
#include "rpc/completion_queue_poller.h"

#include <grpc/support/time.h>

namespace sweepd::rpc {
namespace {

/// Events taken in one turn: enough to empty a busy queue, few enough that a due tick does not wait long.
constexpr int kEventsPerPollMax = 256;

gpr_timespec to_timespec(runtime::TimePoint deadline) {
  const auto left = deadline - runtime::Clock::now();
  const auto left_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(left_ns, GPR_TIMESPAN));
}

}  // namespace

void CompletionQueuePoller::poll(runtime::TimePoint deadline) {
  void* tag = nullptr;
  bool ok = false;
  gpr_timespec until = to_timespec(deadline);
  for (int events = 0; events < kEventsPerPollMax; ++events) {
    if (queue_.AsyncNext(&tag, &ok, until) != grpc::CompletionQueue::GOT_EVENT) return;
    static_cast<Tag*>(tag)->complete(ok);
    until = gpr_time_0(GPR_CLOCK_MONOTONIC);  // The rest only if it is there already.
  }
}

void CompletionQueuePoller::wake() {
  if (wake_is_set_.exchange(true, std::memory_order_acq_rel)) return;
  alarm_.Set(&queue_, gpr_now(GPR_CLOCK_MONOTONIC), &wake_tag_);
}

void CompletionQueuePoller::drain() {
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) static_cast<Tag*>(tag)->complete(ok);
}

}  // namespace sweepd::rpc
