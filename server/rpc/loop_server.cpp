// SPDX-License-Identifier: MIT
#include "rpc/loop_server.h"

#include <utility>

#include "base/assert.h"
#include "rpc/health_service.h"
#include "rpc/peer.h"
#include "rpc/stream_call.h"
#include "rpc/tls_credentials.h"
#include "rpc/unary_call.h"
#include "session/methods.h"
#include "session/play_stream.h"
#include "session/replay_download.h"
#include "session/replay_upload.h"
#include "session/watch_stream.h"

namespace sweepd::rpc {
namespace {

constexpr int kMessageBytesMax = 2 * session::kRequestBytesMax;

// A dead peer is noticed within half a minute; by default it would stay for two hours.
constexpr int kKeepaliveTimeMs = 20'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
// Clients may ping every five seconds; what arrives a little early is no reason to hang up.
constexpr int kClientPingIntervalMs = 4'500;

// For the handshake of TLS, and for what HTTP/2 begins with.
constexpr int kHandshakeTimeoutMs = 5'000;
// All names and values of a call's metadata; gRPC's default, which bounds what is taken from strangers.
constexpr int kMetadataBytesMax = 8192;
// Of a connection at once. What is read is handled to its end, and a kibibyte may hold the headers of 50
// calls.
constexpr int kReadBytesMax = 16 << 10;
// Of a stream that is not read just now. The network library would let more and more come, as much as the path
// takes: then an honest upload to a busy server could not be told from bytes of no message without end.
constexpr int kStreamWindowBytes = 256 << 10;

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

/// gRPC's reflection is a plugin of every server of a process that links it, the only one here.
class NoReflection final : public grpc::ServerBuilderOption {
 public:
  void UpdateArguments(grpc::ChannelArguments* /*arguments*/) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    plugins->clear();
  }
};

void configure(grpc::ServerBuilder& builder) {
  bound_threads(builder);
  refuse_compression(builder);
  builder.SetMaxReceiveMessageSize(kMessageBytesMax);
  builder.SetMaxSendMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kReadBytesMax);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kStreamWindowBytes);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMetadataBytesMax);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kClientPingIntervalMs);
}

constexpr std::chrono::seconds kAnswersPeriod{1};

using PlayCall = StreamCall<BidiStream, session::PlayStream, v1::PlayRequest, MatchByteService>;
using WatchCall = StreamCall<ServerStream, session::WatchStream, v1::WatchRequest, MatchByteService>;
using GetReplayCall =
    StreamCall<ServerStream, session::ReplayDownload, v1::GetReplayRequest, ReplayByteService>;
using VerifyReplayCall =
    StreamCall<ClientStream, session::ReplayUpload, v1::VerifyReplayRequest, ReplayByteService>;

}  // namespace

bool LoopServer::start(grpc::ResourceQuota& quota, const LoopServerOptions& options) {
  SWEEPD_ASSERT(!server_);
  entrance_ = options.entrance;
  grpc::ServerBuilder builder;
  configure(builder);
  if (!options.has_reflection) builder.SetOption(std::make_unique<NoReflection>());
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             static_cast<int>(options.streams_per_connection_max));
  builder.SetResourceQuota(quota);
  credentials_ = make_credentials(options.certificates);
  using Type = grpc::ServerBuilder::experimental_type::ExternalConnectionType;
  acceptor_ = builder.experimental().AddExternalConnectionAcceptor(Type::FROM_FD, credentials_);
  own_acceptor_ =
      builder.experimental().AddExternalConnectionAcceptor(Type::FROM_FD, grpc::InsecureServerCredentials());
  builder.RegisterService(&match_service_);
  builder.RegisterService(&query_service_);
  builder.RegisterService(&replay_service_);
  builder.RegisterService(&health_service_);
  if (is_admin()) builder.RegisterService(&admin_service_);
  queue_ = builder.AddCompletionQueue();
  poller_ = std::make_unique<CompletionQueuePoller>(*queue_);
  server_ = builder.BuildAndStart();
  if (!server_) poller_->close();
  return server_ != nullptr;
}

session::CallOrigin LoopServer::origin_of(grpc::ServerContext& context) {
  session::CallOrigin origin = rpc::origin_of(home_->backend(), context);
  origin.caller.entrance = entrance_;
  return origin;
}

// Over a unix socket there is nothing to encrypt for.
void LoopServer::take_connection(int descriptor, bool is_own) {
  const bool is_plain = is_own || entrance_ == session::Entrance::kAdminSocket;
  grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
  connection.fd = descriptor;
  (is_plain ? own_acceptor_ : acceptor_)->HandleNewConnection(&connection);
}

void LoopServer::look_after_answers() {
  answers_timer_->start(kAnswersPeriod, [this] { look_after_answers(); });
  const std::size_t cancelled = answers_.cancel_overdue(home_->loop().now());
  if (cancelled == 0) return;
  home_->backend().answers_not_taken.fetch_add(cancelled);
  runtime::log_info("answers that were not taken in time are cancelled", {{"calls", cancelled}});
}

void LoopServer::open(session::MatchLoop& home) {
  home_ = &home;
  answers_timer_.emplace(home.loop());
  look_after_answers();
  session::for_each_match_method([this](auto method) { accept_calls(*this, match_service_, method); });
  session::for_each_query_method([this](auto method) { accept_calls(*this, query_service_, method); });
  session::for_each_replay_method([this](auto method) { accept_calls(*this, replay_service_, method); });
  accept_health_calls(*this);
  if (is_admin())
    session::for_each_admin_method([this](auto method) { accept_calls(*this, admin_service_, method); });
  PlayCall::accept(*this, match_service_);
  WatchCall::accept(*this, match_service_);
  GetReplayCall::accept(*this, replay_service_);
  VerifyReplayCall::accept(*this, replay_service_);
}

void LoopServer::shut_down(std::chrono::system_clock::time_point deadline) { server_->Shutdown(deadline); }

void LoopServer::close() {
  answers_timer_.reset();
  poller_->close();
}

}  // namespace sweepd::rpc
