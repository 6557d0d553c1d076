// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/completion_queue.h>

#include <atomic>

#include "rpc/tag.h"
#include "runtime/loop/poller.h"

namespace sweepd::rpc {

/// A loop's wait on its completion queue. Dispatches to the tags.
class CompletionQueuePoller final : public runtime::Poller, private Tag {
 public:
  explicit CompletionQueuePoller(grpc::CompletionQueue& queue) : queue_(queue) {}

  runtime::Duration poll(runtime::TimePoint deadline) override;
  void wake() override;

  /// Shuts the queue down and dispatches what is left in it. No operation may be under way or be started any
  /// more, and no other thread may call wake().
  void close();

 private:
  void run(bool ok) override;

  grpc::CompletionQueue& queue_;
  grpc::Alarm alarm_;
  std::atomic<bool> is_alarm_set_ =
      false;  ///< The thread that sets it owns the alarm until the alarm's tag is delivered.
  bool is_closed_ = false;
};

}  // namespace sweepd::rpc
