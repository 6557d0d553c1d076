// SPDX-License-Identifier: MIT
#include "rpc/loop_server.h"

#include "base/assert.h"
#include "rpc/health_service.h"
#include "rpc/match_service.h"
#include "rpc/play_call.h"
#include "rpc/query_service.h"
#include "rpc/replay_service.h"
#include "rpc/watch_call.h"

namespace sweepd::rpc {
namespace {

constexpr int kMessageBytesMax = 1 << 20;

// A dead peer is noticed within half a minute; by default it would stay for two hours.
constexpr int kKeepaliveTimeMs = 20'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
// Clients may ping every five seconds; what arrives a little early is no reason to hang up.
constexpr int kClientPingIntervalMs = 4'500;

void configure(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(kMessageBytesMax);
  builder.SetMaxSendMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 1);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kClientPingIntervalMs);
}

}  // namespace

LoopServer::LoopServer(Backend& backend) : backend_(backend) {}

LoopServer::~LoopServer() { SWEEPD_ASSERT(!thread_.joinable()); }

bool LoopServer::start(const LoopServerOptions& options) {
  SWEEPD_ASSERT(!server_ && !options.addresses.empty());
  grpc::ServerBuilder builder;
  configure(builder);
  ports_.assign(options.addresses.size(), 0);
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    builder.AddListeningPort(options.addresses[i], grpc::InsecureServerCredentials(), &ports_[i]);
  }
  builder.RegisterService(&match_service_);
  builder.RegisterService(&query_service_);
  builder.RegisterService(&replay_service_);
  builder.RegisterService(&health_service_);
  queue_ = builder.AddCompletionQueue();
  poller_ = std::make_unique<CompletionQueuePoller>(*queue_);
  server_ = builder.BuildAndStart();
  if (!server_) {
    poller_->close();
    return false;
  }
  index_ = options.index;
  loop_ = std::make_unique<runtime::Loop>(*poller_, runtime::steady_now, options.loop);
  watch_load(options);
  matches_ = std::make_unique<runtime::ResidentMatches>(*loop_, backend_.registry, options.idle_match_timeout,
                                                        options.journal);
  return true;
}

void LoopServer::watch_load(const LoopServerOptions& options) {
  loop_->load().on_reading([this, on_load = options.on_load](const runtime::LoadReading& load) {
    if (on_load) on_load(load);
    moves_.loop_measured(load);
  });
  if (options.move_matches_every.count() > 0) moves_.move_always(options.move_matches_every);
}

void LoopServer::serve() {
  accept_match_calls(*this);
  accept_query_calls(*this);
  accept_replay_calls(*this);
  accept_health_calls(*this);
  PlayCall::accept(*this);
  WatchCall::accept(*this);
  if (backend_.health != nullptr) {
    health_watch_ = backend_.health->watch([this](const auto& /*component*/) { announce_health(); });
  }
  thread_ = std::thread([this] { loop_->run(); });
}

// From any thread. What is asked is how it is by then, so one announcement on its way is enough for any
// number of changes.
void LoopServer::announce_health() {
  if (is_health_announced_.exchange(true)) return;
  loop_->post([this] {
    is_health_announced_ = false;
    for (LiveStream* stream : streams_) stream->health_changed();
  });
}

void LoopServer::end_streams() {
  SWEEPD_ASSERT(backend_.is_shutting_down);
  loop_->post([this] {
    matches_->fail_steps(runtime::StepError::kShuttingDown);
    const auto streams = streams_;
    for (LiveStream* stream : streams) stream->shut_down();
  });
}

void LoopServer::shut_down_server(std::chrono::system_clock::time_point deadline) {
  server_->Shutdown(deadline);
}

void LoopServer::join() {
  health_watch_ = {};
  loop_->stop();
  thread_.join();
  loop_->wait_for_posters();
  poller_->close();
}

}  // namespace sweepd::rpc
