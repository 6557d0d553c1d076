// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/completion_queue.h>

#include <atomic>

#include "rpc/tag.h"
#include "runtime/poller.h"

namespace sweepd::rpc {

/// Lets a loop wait on a completion queue. Every tag in the queue is a Tag.
class CompletionQueuePoller : public runtime::Poller {
 public:
  explicit CompletionQueuePoller(grpc::CompletionQueue& queue) : queue_(queue), wake_tag_(*this) {}

  void poll(runtime::TimePoint deadline) override;
  void wake() override;

  /// After the queue was shut down: hands out what is left, until nothing is. Any one thread, no `poll` beside it.
  void drain();

 private:
  /// An alarm may be set again only after its tag was delivered: whoever turns the flag sets it.
  class WakeTag : public Tag {
   public:
    explicit WakeTag(CompletionQueuePoller& poller) : poller_(poller) {}
    void complete(bool) override { poller_.wake_is_set_.store(false, std::memory_order_release); }

   private:
    CompletionQueuePoller& poller_;
  };

  grpc::CompletionQueue& queue_;
  grpc::Alarm alarm_;
  WakeTag wake_tag_;
  std::atomic<bool> wake_is_set_{false};
};

}  // namespace sweepd::rpc
