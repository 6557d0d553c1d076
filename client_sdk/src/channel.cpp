// SPDX-License-Identifier: MIT
#include "channel.h"

#include <grpcpp/create_channel.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "loopback.h"

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

constexpr std::uint32_t kPortMax = 65'535;

bool is_made_of(std::string_view text, std::string_view others) {
  const auto is_allowed = [others](char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           others.find(byte) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, is_allowed);
}

bool is_bare_v6(std::string_view host) {
  return host.find(':') != host.rfind(':') && is_made_of(host, ":.%");
}

/// A name, an address of version 4, or one of version 6 in brackets.
bool is_host(std::string_view host) {
  if (!host.starts_with('[')) return is_made_of(host, ".-_");
  return host.ends_with(']') && is_bare_v6(host.substr(1, host.size() - 2));
}

bool is_port(std::string_view text) {
  std::uint32_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port <= kPortMax;
}

}  // namespace

std::shared_ptr<grpc::Channel> open_channel(const std::string& target, const Security& security) {
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
  security.set_up(arguments);
  return grpc::CreateCustomChannel(target, security.credentials(), arguments);
}

Checked check_server(const std::string& server) {
  const std::string_view text = server;
  if (text.starts_with(kUnix) && text.size() > kUnix.size()) return std::nullopt;
  const std::string_view address = text.starts_with(kDns) ? text.substr(kDns.size()) : text;
  const std::size_t colon = address.rfind(':');
  if (colon != std::string_view::npos && is_host(address.substr(0, colon)) &&
      is_port(address.substr(colon + 1))) {
    return std::nullopt;
  }
  return FieldError{.field = "server", .what = "is not HOST:PORT, [V6]:PORT, dns:///HOST:PORT or unix:PATH"};
}

std::string target_of(const Endpoint& endpoint, const std::string& server) {
  if (endpoint.port == 0 || endpoint.port > kPortMax) return server;
  const std::string port = ":" + std::to_string(endpoint.port);
  if (is_bare_v6(endpoint.host)) return "[" + endpoint.host + "]" + port;
  if (!endpoint.host.empty()) return is_host(endpoint.host) ? endpoint.host + port : server;
  // Over a unix socket there is neither host nor port to put in its place.
  return server.starts_with(kUnix) ? server : server.substr(0, server.rfind(':')) + port;
}

}  // namespace sweepd::internal
