// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include "grpc/health/v1/health_service.grpc.pb.h"
#include "rpc/answer_deadlines.h"
#include "rpc/byte_service.h"
#include "rpc/completion_queue_poller.h"
#include "runtime/loop/loop_timer.h"
#include "runtime/tls/certificate_store.h"
#include "session/client_budget.h"
#include "session/door.h"
#include "session/match_loop.h"
#include "sweepd/v1/admin_service.grpc.pb.h"
#include "sweepd/v1/match_service.grpc.pb.h"
#include "sweepd/v1/query_service.grpc.pb.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd::rpc {

using AdminByteService = ByteService<v1::AdminService::AsyncService>;
using MatchByteService = ByteService<v1::MatchService::AsyncService>;
using QueryByteService = ByteService<v1::QueryService::AsyncService>;
using ReplayByteService = ByteService<v1::ReplayService::AsyncService>;
using HealthByteService = ByteService<grpc::health::v1::Health::AsyncService>;

struct LoopServerOptions {
  std::size_t streams_per_connection_max = 1024;
  const runtime::CertificateStore* certificates = nullptr;  ///< Null: plain text.
  session::Entrance entrance = session::Entrance::kOrdinary;
  bool has_reflection = false;
};

/// A loop's part of the door, or that of the admin listener: a gRPC server with its completion queue, which
/// the loop waits for. Connections are the loop's that they are handed to; a stream of a match of another
/// loop moves over there (see MovingStream).
class LoopServer final : public session::LoopDoor {
 public:
  /// False: gRPC does not start.
  bool start(grpc::ResourceQuota& quota, const LoopServerOptions& options);

  runtime::Poller& poller() override { return *poller_; }
  void open(session::MatchLoop& home) override;
  void take_connection(int descriptor, bool is_own) override;
  void shut_down(std::chrono::system_clock::time_point deadline) override;
  void close() override;

  session::MatchLoop& home() { return *home_; }
  grpc::ServerCompletionQueue& queue() { return *queue_; }
  HealthByteService& health_service() { return health_service_; }
  /// Once a call. The request id goes back to the client with the first that it gets.
  session::CallOrigin origin_of(grpc::ServerContext& context);
  /// Of the loop's unary calls.
  AnswerDeadlines& answers() { return answers_; }

 private:
  void look_after_answers();
  bool is_admin() const { return entrance_ != session::Entrance::kOrdinary; }

  session::Entrance entrance_ = session::Entrance::kOrdinary;
  AdminByteService admin_service_;  ///< Of the admin listener alone.
  MatchByteService match_service_;
  QueryByteService query_service_;
  ReplayByteService replay_service_;
  HealthByteService health_service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::shared_ptr<grpc::ServerCredentials> credentials_;  ///< Of clients' connections.
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> own_acceptor_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<CompletionQueuePoller> poller_;
  session::MatchLoop* home_ = nullptr;
  AnswerDeadlines answers_;
  std::optional<runtime::LoopTimer> answers_timer_;  ///< While the loop is there.
};

}  // namespace sweepd::rpc
