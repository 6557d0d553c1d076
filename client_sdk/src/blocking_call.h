// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "security.h"
#include "sweepd/replays.h"

namespace sweepd::internal {

/// A streaming call that the caller waits for, one operation after the other. Each has a time of its own: how
/// long the whole takes depends on how much there is, but a server that stands still is noticed.
class BlockingCall {
 public:
  /// Where `error` says something from the start, the call must not be started.
  BlockingCall(const Security& security, KeepGoing keep_going)
      : error(security.authorize(context)), keep_going_(std::move(keep_going)) {}
  BlockingCall(const BlockingCall&) = delete;
  BlockingCall& operator=(const BlockingCall&) = delete;
  ~BlockingCall() { end(); }

  /// Nothing of the call is under way any more when this returns. Before what the operations were started on
  /// goes, which lives in the context's memory.
  void end() {
    context.TryCancel();
    if (is_ended_) return;
    is_ended_ = true;
    queue.Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue.Next(&tag, &ok)) {
    }
  }

  /// Of the operation that was started last. False: it failed, or `error` says why it was given up.
  bool wait(std::chrono::milliseconds time) {
    constexpr std::chrono::milliseconds kSlice{50};
    const auto deadline = std::chrono::system_clock::now() + time;
    while (true) {
      void* tag = nullptr;
      bool ok = false;
      const auto until = std::min(deadline, std::chrono::system_clock::now() + kSlice);
      if (queue.AsyncNext(&tag, &ok, until) == grpc::CompletionQueue::GOT_EVENT) return ok;
      if (!keeps_going()) {
        give_up();
        return false;
      }
      if (std::chrono::system_clock::now() >= deadline) {
        error = {ErrorCode::kDeadlineExceeded,
                 "the server did nothing for " + std::to_string(time.count()) + " ms"};
        return false;
      }
    }
  }
  bool keeps_going() const { return !keep_going_ || keep_going_(); }
  void give_up() { error = {ErrorCode::kUnavailable, "given up by the caller"}; }

  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  Status error;

 private:
  const KeepGoing keep_going_;
  bool is_ended_ = false;
};

}  // namespace sweepd::internal
