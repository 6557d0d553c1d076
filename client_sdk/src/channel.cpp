// SPDX-License-Identifier: MIT
#include "channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

namespace sweepd::internal {
namespace {

// A dead connection is noticed within half a minute. More often would cost idle streams more than it gains,
// and servers refuse it.
constexpr int kKeepaliveMs = 20'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
// A burst of events after a stall is larger than gRPC's own 4 MiB.
constexpr int kReceiveBytesMax = 64 << 20;
// A server that is being restarted is found again soon; gRPC's own pauses grow to two minutes.
constexpr int kReconnectMinMs = 100;
constexpr int kReconnectMaxMs = 2'000;
constexpr int kConnectTimeoutMs = 5'000;

// HOST of HOST:PORT, [V6]:PORT or dns:///HOST:PORT; all of it where there is no port.
std::string host_of(const std::string& server) {
  const std::size_t colon = server.rfind(':');
  const std::size_t bracket = server.rfind(']');
  if (colon == std::string::npos || (bracket != std::string::npos && colon < bracket)) return server;
  return server.substr(0, colon);
}

bool is_bare_v6(const std::string& host) { return host.front() != '[' && host.find(':') != host.rfind(':'); }

}  // namespace

std::shared_ptr<grpc::Channel> open_channel(const std::string& target) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectMinMs);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectTimeoutMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kReconnectMaxMs);
  arguments.SetMaxReceiveMessageSize(kReceiveBytesMax);
  return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
}

std::string target_of(const Endpoint& endpoint, const std::string& server) {
  // Over a unix socket there is neither host nor port to put in its place.
  if (endpoint.port == 0 || (endpoint.host.empty() && server.starts_with("unix:"))) return server;
  std::string host = endpoint.host.empty() ? host_of(server) : endpoint.host;
  if (!endpoint.host.empty() && is_bare_v6(host)) host = "[" + host + "]";
  return host + ":" + std::to_string(endpoint.port);
}

}  // namespace sweepd::internal
