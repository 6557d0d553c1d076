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
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "grpc/health/v1/health_service.grpc.pb.h"
#include "rpc/answer_deadlines.h"
#include "rpc/backend.h"
#include "rpc/byte_service.h"
#include "rpc/completion_queue_poller.h"
#include "rpc/frame_codec.h"
#include "rpc/live_streams.h"
#include "rpc/match_codec.h"
#include "rpc/match_moves.h"
#include "rpc/request_memory.h"
#include "runtime/loop.h"
#include "runtime/loop_timer.h"
#include "runtime/resident_matches.h"
#include "sweepd/v1/match_service.grpc.pb.h"
#include "sweepd/v1/query_service.grpc.pb.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd::rpc {

using MatchByteService = ByteService<v1::MatchService::AsyncService>;
using QueryByteService = ByteService<v1::QueryService::AsyncService>;
using ReplayByteService = ByteService<v1::ReplayService::AsyncService>;
using HealthByteService = ByteService<grpc::health::v1::Health::AsyncService>;

struct LoopServerOptions {
  std::uint16_t port = 0;  ///< Of the loop's own endpoint.
  runtime::Duration idle_match_timeout{};
  runtime::Journal* journal = nullptr;
  std::uint32_t index = 0;  ///< Of the loop.
  std::size_t streams_per_connection_max = 1024;
  runtime::LoopOptions loop = {};
  std::function<void(const runtime::LoadReading&)> on_load =
      {};                                           ///< Called once a second, from the loop's thread.
  std::chrono::milliseconds move_matches_every{0};  ///< See MatchMoves::move_always; 0: not.
};

/// One loop with everything that it owns: a gRPC server with its completion queue, the streams, the matches.
/// Connections are the loop's that they are handed to; a call on a match of another loop moves over there
/// (see StreamCall).
class LoopServer {
 public:
  explicit LoopServer(Backend& backend);
  ~LoopServer();

  /// False: gRPC does not start.
  bool start(const LoopServerOptions& options);

  /// A connection is the loop's from now on. From any thread, until the server is shut down.
  void take_connection(int descriptor);

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
  MatchByteService& match_service() { return match_service_; }
  QueryByteService& query_service() { return query_service_; }
  ReplayByteService& replay_service() { return replay_service_; }
  HealthByteService& health_service() { return health_service_; }
  /// Of the loop's thread.
  RequestMemory& request_memory() { return request_memory_; }
  FrameDecoder::Undo& frame_undo() { return frame_undo_; }
  /// As clients are told.
  Endpoint endpoint() const { return {backend_.advertised.host, endpoint_port(), index_}; }

  /// Of the loop's unary calls.
  AnswerDeadlines& answers() { return answers_; }

  /// Streams whose home is this loop.
  void add_stream(LiveStream& stream) { streams_.add(stream); }
  void remove_stream(LiveStream& stream) { streams_.remove(stream); }

  /// Every call that waits for a client or serves one on this queue. From any thread.
  void count_call() { calls_.fetch_add(1, std::memory_order_relaxed); }
  void uncount_call() { calls_.fetch_sub(1, std::memory_order_release); }
  std::size_t calls() const { return calls_.load(std::memory_order_acquire); }

 private:
  std::uint32_t endpoint_port() const;
  void announce_health();
  void beat();
  void watch_load(const LoopServerOptions& options);
  void cancel_overdue_answers();

  Backend& backend_;
  MatchByteService match_service_;
  QueryByteService query_service_;
  ReplayByteService replay_service_;
  HealthByteService health_service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<CompletionQueuePoller> poller_;
  std::unique_ptr<runtime::Loop> loop_;
  std::unique_ptr<runtime::ResidentMatches> matches_;
  MatchMoves moves_{*this};
  std::uint32_t port_ = 0;
  AnswerDeadlines answers_;
  RequestMemory request_memory_;
  FrameDecoder::Undo frame_undo_;
  std::uint32_t index_ = 0;
  LiveStreams streams_;
  std::optional<runtime::LoopTimer> heartbeat_timer_;
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
