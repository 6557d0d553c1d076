// SPDX-License-Identifier: MIT
#include "rpc/loop_server.h"

#include <pthread.h>

#include "base/assert.h"
#include "rpc/health_service.h"
#include "rpc/match_service.h"
#include "rpc/parse_request.h"
#include "rpc/play_call.h"
#include "rpc/query_service.h"
#include "rpc/replay_service.h"
#include "rpc/watch_call.h"

namespace sweepd::rpc {
namespace {

constexpr int kMessageBytesMax = 2 * kRequestBytesMax;

// A dead peer is noticed within half a minute; by default it would stay for two hours.
constexpr int kKeepaliveTimeMs = 20'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
// Clients may ping every five seconds; what arrives a little early is no reason to hang up.
constexpr int kClientPingIntervalMs = 4'500;

// A connection on which no client says what HTTP/2 begins with.
constexpr int kHandshakeTimeoutMs = 10'000;
// All names and values of a call's metadata; gRPC's default, which bounds what is taken from strangers.
constexpr int kMetadataBytesMax = 8192;
// Of a connection at once. What is read is handled to its end, and a kibibyte may hold the headers of 50
// calls.
constexpr int kReadBytesMax = 16 << 10;

// gRPC inflates a message as a whole before it looks how large it is: a kilobyte may become a mebibyte, and a
// message within its bound a gibibyte.
void refuse_compression(grpc::ServerBuilder& builder) {
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP})
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
}

// Of reflection alone, which is gRPC's own: a thread that waits for calls, and one for each call. The quota
// bounds them; beyond it calls are refused.
void bound_threads(grpc::ServerBuilder& builder) {
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
}

void configure(grpc::ServerBuilder& builder) {
  bound_threads(builder);
  refuse_compression(builder);
  builder.SetMaxReceiveMessageSize(kMessageBytesMax);
  builder.SetMaxSendMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kReadBytesMax);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMetadataBytesMax);
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
  SWEEPD_ASSERT(!server_);
  grpc::ServerBuilder builder;
  configure(builder);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             static_cast<int>(options.streams_per_connection_max));
  builder.SetResourceQuota(backend_.quota);
  using Builder = grpc::ServerBuilder::experimental_type;
  acceptor_ = builder.experimental().AddExternalConnectionAcceptor(Builder::ExternalConnectionType::FROM_FD,
                                                                   grpc::InsecureServerCredentials());
  port_ = options.port;
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

void LoopServer::take_connection(int descriptor) {
  grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
  connection.fd = descriptor;
  acceptor_->HandleNewConnection(&connection);
}

std::uint32_t LoopServer::endpoint_port() const {
  if (backend_.has_loop_ports) return port_;
  if (backend_.advertised.port != 0) return backend_.advertised.port;
  const bool is_known_to_clients = backend_.advertised.host.empty() && !backend_.tells_main_port;
  return is_known_to_clients ? 0 : port_;
}

void LoopServer::watch_load(const LoopServerOptions& options) {
  loop_->load().on_reading([this, on_load = options.on_load](const runtime::LoadReading& load) {
    if (on_load) on_load(load);
    moves_.loop_measured(load);
    cancel_overdue_answers();
  });
  if (options.move_matches_every.count() > 0) moves_.move_always(options.move_matches_every);
}

void LoopServer::cancel_overdue_answers() {
  const std::size_t cancelled = answers_.cancel_overdue(loop_->now());
  if (cancelled == 0) return;
  backend_.answers_not_taken.fetch_add(cancelled);
  runtime::log_info("answers that were not taken in time are cancelled", {{"calls", cancelled}});
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
  heartbeat_timer_.emplace(*loop_);
  beat();
  thread_ = std::thread([this] { loop_->run(); });
  const std::string name = "loop-" + std::to_string(index_);
  pthread_setname_np(thread_.native_handle(), name.c_str());
}

void LoopServer::beat() {
  heartbeat_timer_->start(LiveStreams::kSlotTime, [this] { beat(); });
  streams_.beat_next_slot();
}

// From any thread. What is asked is how it is by then, so one announcement on its way is enough for any
// number of changes.
void LoopServer::announce_health() {
  if (is_health_announced_.exchange(true)) return;
  loop_->post([this] {
    is_health_announced_ = false;
    for (LiveStream* stream : streams_.all()) stream->health_changed();
  });
}

void LoopServer::end_streams() {
  SWEEPD_ASSERT(backend_.is_shutting_down);
  loop_->post([this] {
    matches_->fail_steps(runtime::StepError::kShuttingDown);
    for (LiveStream* stream : streams_.all()) stream->shut_down();
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
