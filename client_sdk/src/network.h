// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/completion_queue.h>

#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "unreachable_endpoints.h"

namespace sweepd::internal {

/// What a completion queue hands back when an operation is over. It has to live until then.
class Tag {
 public:
  virtual ~Tag() = default;
  virtual void complete(bool ok) = 0;
};

/// The SDK's own thread, on which the streams of a client talk to gRPC, one thing at a time: so streams need
/// no locks, but where they meet the game's thread.
class Network {
 public:
  Network();
  /// Waits until the streams that were begun are over: cancel them first.
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// Runs `task` on the SDK's thread, after those posted before. From any thread.
  /// Tasks waiting are few: a stream posts its start, a flush that is not posted twice, a leave and a cancel.
  void post(std::function<void()> task);

  // From the SDK's thread.

  grpc::CompletionQueue* queue() { return &queue_; }
  void stream_begun() { ++streams_; }
  void stream_over() { --streams_; }
  UnreachableEndpoints& unreachable_endpoints() { return unreachable_endpoints_; }

 private:
  class WakeUp final : public Tag {
   public:
    explicit WakeUp(Network* network) : network_(network) {}
    void complete(bool) override { network_->run_tasks(); }

   private:
    Network* network_;
  };

  void run();
  void run_tasks();

  grpc::CompletionQueue queue_;
  UnreachableEndpoints unreachable_endpoints_;
  std::size_t streams_ = 0;
  bool stopping_ = false;

  WakeUp wake_up_;
  std::mutex mutex_;  ///< Guards what follows.
  std::vector<std::function<void()>> tasks_;
  grpc::Alarm alarm_;  ///< Under way exactly while tasks_ has any.

  std::thread thread_;  ///< Last: it uses all the others.
};

}  // namespace sweepd::internal
