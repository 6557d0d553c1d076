// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <memory>
#include <string>

#include "rpc/completion_queue_poller.h"
#include "rpc/service_context.h"
#include "runtime/loop.h"
#include "sweepd/v1/match_service.grpc.pb.h"
#include "sweepd/v1/query_service.grpc.pb.h"

namespace sweepd::rpc {

/// A loop's own gRPC server with one completion queue: what comes in on its ports is served by its thread.
class LoopServer {
 public:
  explicit LoopServer(runtime::Loop& loop) : loop_(loop) {}

  /// Binds the main address, shared with the other loops (the kernel spreads the connections), and with
  /// `own_address` a port of its own. False if a port cannot be had.
  bool bind(const std::string& main_address, const std::string& own_address);
  int main_port() const { return main_port_; }
  int own_port() const { return own_port_; }

  /// Starts the loop and waits for calls on it.
  void serve(const ServiceContext& context);

  void set_serving(bool serving);
  /// No call is accepted any more; those under way are cancelled at the deadline. Blocks until all are through; the loop
  /// is still needed for that.
  void shut_down(std::chrono::system_clock::time_point deadline);
  /// After `shut_down`: ends the loop and takes what is left out of the queue.
  void stop_loop();

 private:
  runtime::Loop& loop_;
  v1::MatchService::AsyncService match_service_;
  v1::QueryService::AsyncService query_service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<CompletionQueuePoller> poller_;
  std::unique_ptr<grpc::Server> server_;
  int main_port_ = 0;
  int own_port_ = 0;
};

}  // namespace sweepd::rpc
