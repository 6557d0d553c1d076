// SPDX-License-Identifier: MIT
#include "rpc/loop_server.h"

#include <grpcpp/security/server_credentials.h>

#include "rpc/play_call.h"
#include "rpc/unary_handlers.h"
#include "rpc/watch_call.h"

namespace sweepd::rpc {
namespace {

/// A frame of 1 MiB moves some 300,000 objects: nothing a game needs, and a bound on what one client can make us hold.
constexpr int kRequestBytesMax = 1 << 20;

void set_keepalive(grpc::ServerBuilder& builder) {
  // gRPC's own default would notice a dead peer after two hours, and would drop clients that ping an idle stream.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
}

}  // namespace

bool LoopServer::bind(const std::string& main_address, const std::string& own_address) {
  grpc::ServerBuilder builder;
  const auto credentials = grpc::InsecureServerCredentials();
  builder.AddListeningPort(main_address, credentials, &main_port_);
  if (!own_address.empty()) builder.AddListeningPort(own_address, credentials, &own_port_);
  builder.SetMaxReceiveMessageSize(kRequestBytesMax);
  set_keepalive(builder);
  builder.RegisterService(&match_service_);
  builder.RegisterService(&query_service_);
  queue_ = builder.AddCompletionQueue();
  poller_ = std::make_unique<CompletionQueuePoller>(*queue_);
  server_ = builder.BuildAndStart();
  return server_ != nullptr && main_port_ != 0 && (own_address.empty() || own_port_ != 0);
}

void LoopServer::serve(const ServiceContext& context) {
  await_match_calls(match_service_, *queue_, context);
  await_query_calls(query_service_, *queue_, context);
  PlayCall::await(match_service_, *queue_, loop_, context);
  WatchCall::await(match_service_, *queue_, loop_, context);
  loop_.start(*poller_);
}

void LoopServer::set_serving(bool serving) {
  if (auto* health = server_->GetHealthCheckService()) health->SetServingStatus(serving);
}

void LoopServer::shut_down(std::chrono::system_clock::time_point deadline) { server_->Shutdown(deadline); }

void LoopServer::stop_loop() {
  loop_.stop();
  queue_->Shutdown();
  poller_->drain();
}

}  // namespace sweepd::rpc
