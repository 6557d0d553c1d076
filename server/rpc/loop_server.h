// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "grpc/health/v1/health_service.grpc.pb.h"
#include "rpc/backend.h"
#include "rpc/completion_queue_poller.h"
#include "rpc/frame_codec.h"
#include "rpc/match_async_service.h"
#include "rpc/match_codec.h"
#include "rpc/match_moves.h"
#include "rpc/request_memory.h"
#include "runtime/loop.h"
#include "runtime/resident_matches.h"
#include "sweepd/v1/query_service.grpc.pb.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd::rpc {

/// A call that lives until somebody ends it.
class LiveStream {
 public:
  /// Ends the call with UNAVAILABLE.
  virtual void shut_down() = 0;

  /// A part of the server fails, or does no longer. Must not end the call within.
  virtual void health_changed() {}

 protected:
  ~LiveStream() = default;
};

struct LoopServerOptions {
  std::vector<std::string> addresses;  ///< The last is the loop's own endpoint.
  runtime::Duration idle_match_timeout{};
  runtime::Journal* journal = nullptr;
  std::uint32_t index = 0;  ///< Of the loop.
  runtime::LoopOptions loop = {};
  std::function<void(const runtime::LoadReading&)> on_load =
      {};                                           ///< Called once a second, from the loop's thread.
  std::chrono::milliseconds move_matches_every{0};  ///< See MatchMoves::move_always; 0: not.
};

/// One loop with everything that it owns: a gRPC server with its completion queue, the streams, the matches.
/// Connections are the loop's that accepted them; a call on a match of another loop moves over there (see
/// StreamCall).
class LoopServer {
 public:
  explicit LoopServer(Backend& backend);
  ~LoopServer();

  /// False: an address could not be bound.
  bool start(const LoopServerOptions& options);

  /// Starts the loop's thread. Once all loops have started: calls may move between them from then on.
  void serve();

  /// In this order, from the thread that started it. Refuses new calls and ends the streams; cancels what
  /// goes on at the deadline.
  void end_streams();
  void shut_down_server(std::chrono::system_clock::time_point deadline);
  void join();

  /// Runs `work` on this loop: at once if this is its thread.
  template <typename Work>
  void run(Work&& work) {
    if (loop_->is_current()) {
      work();
    } else {
      loop_->post(std::forward<Work>(work));
    }
  }

  Backend& backend() { return backend_; }
  runtime::Loop& loop() { return *loop_; }
  runtime::ResidentMatches& matches() { return *matches_; }
  std::size_t index() const { return index_; }
  grpc::ServerCompletionQueue& queue() { return *queue_; }
  MatchAsyncService& match_service() { return match_service_; }
  v1::QueryService::AsyncService& query_service() { return query_service_; }
  v1::ReplayService::AsyncService& replay_service() { return replay_service_; }
  grpc::health::v1::Health::AsyncService& health_service() { return health_service_; }
  /// Of the loop's thread.
  RequestMemory& request_memory() { return request_memory_; }
  FrameDecoder::Undo& frame_undo() { return frame_undo_; }
  Endpoint endpoint() const {
    return {backend_.advertised_host, static_cast<std::uint32_t>(ports_.back()), index_};
  }
  const std::vector<int>& ports() const { return ports_; }

  /// Streams whose home is this loop.
  void add_stream(LiveStream& stream) { streams_.insert(&stream); }
  void remove_stream(LiveStream& stream) { streams_.erase(&stream); }

  /// Every call that waits for a client or serves one on this queue. From any thread.
  void count_call() { calls_.fetch_add(1, std::memory_order_relaxed); }
  void uncount_call() { calls_.fetch_sub(1, std::memory_order_release); }
  std::size_t calls() const { return calls_.load(std::memory_order_acquire); }

 private:
  void announce_health();
  void watch_load(const LoopServerOptions& options);

  Backend& backend_;
  MatchAsyncService match_service_;
  v1::QueryService::AsyncService query_service_;
  v1::ReplayService::AsyncService replay_service_;
  grpc::health::v1::Health::AsyncService health_service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<CompletionQueuePoller> poller_;
  std::unique_ptr<runtime::Loop> loop_;
  std::unique_ptr<runtime::ResidentMatches> matches_;
  MatchMoves moves_{*this};
  std::vector<int> ports_;
  RequestMemory request_memory_;
  FrameDecoder::Undo frame_undo_;
  std::uint32_t index_ = 0;
  std::unordered_set<LiveStream*> streams_;
  std::atomic<std::size_t> calls_ = 0;
  std::atomic<bool> is_health_announced_ = false;
  runtime::Health::Watch health_watch_;
  std::thread thread_;
};

/// Counts as a call on a loop for as long as somebody has it: until then no loop ends, and work may go on
/// from loop to loop that no other call waits for.
inline std::shared_ptr<LoopServer> hold(LoopServer& server) {
  server.count_call();
  return {&server, [](LoopServer* held) { held->uncount_call(); }};
}

}  // namespace sweepd::rpc
