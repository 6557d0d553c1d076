// SPDX-License-Identifier: MIT
#include "rpc/peer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include "rpc/tls_credentials.h"
#include "runtime/local_peer.h"
#include "session/backend.h"
#include "session/call_trace.h"

namespace sweepd::rpc {
namespace {

using boost::asio::ip::tcp;

/// Of an address of version 6, as it stands in gRPC's names.
std::string without_brackets(std::string text) {
  for (const std::string_view bracket : {"%5B", "%5D", "[", "]"}) {
    const std::size_t at = text.find(bracket);
    if (at != std::string::npos) text.erase(at, bracket.size());
  }
  return text;
}

std::string_view given_request_id(const grpc::ServerContext& context) {
  const auto it = context.client_metadata().find(session::kRequestIdKey);
  if (it == context.client_metadata().end()) return {};
  return {it->second.data(), it->second.size()};
}

/// "authorization: Bearer TOKEN", the scheme in any case.
std::string_view bearer_of(const grpc::ServerContext& context) {
  constexpr std::string_view kScheme = "bearer ";
  const auto it = context.client_metadata().find("authorization");
  if (it == context.client_metadata().end() || it->second.size() <= kScheme.size()) return {};
  const std::string_view value(it->second.data(), it->second.size());
  const auto is_same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const bool is_bearer = std::ranges::equal(value.substr(0, kScheme.size()), kScheme, is_same);
  return is_bearer ? value.substr(kScheme.size()) : std::string_view();
}

/// A process behind a runtime::LocalListener: `peer` says which from then on.
session::Caller caller_on_machine(session::Backend& backend, std::string& peer) {
  const auto process = runtime::local_peer_in(peer);
  if (!process) return session::caller_named(backend, peer);
  const std::string user = "unix uid=" + std::to_string(process->user);
  peer = user + " pid=" + std::to_string(process->process);
  return session::caller_named(backend, user);
}

}  // namespace

std::optional<tcp::endpoint> endpoint_of_peer(std::string_view peer) {
  if (!peer.starts_with("ipv4:") && !peer.starts_with("ipv6:")) return std::nullopt;
  const std::size_t colon = peer.rfind(':');
  std::uint16_t port = 0;
  const char* const end = peer.data() + peer.size();
  const auto [next, failure] = std::from_chars(peer.data() + colon + 1, end, port);
  if (failure != std::errc{} || next != end || colon < 5) return std::nullopt;
  const std::string host = without_brackets(std::string(peer.substr(5, colon - 5)));
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  if (error) return std::nullopt;
  return tcp::endpoint(address, port);
}

session::CallOrigin origin_of(session::Backend& backend, grpc::ServerContext& context) {
  session::CallOrigin origin;
  origin.request_id = session::request_id_for(given_request_id(context));
  origin.peer = context.peer();
  origin.token = bearer_of(context);
  context.AddInitialMetadata(session::kRequestIdKey, origin.request_id);
  const auto endpoint = endpoint_of_peer(origin.peer);
  origin.caller = endpoint ? session::caller_at(backend, *endpoint) : caller_on_machine(backend, origin.peer);
  session::Caller& caller = origin.caller;
  if (!caller.behind_front.empty()) {
    origin.peer = caller.behind_front + " through " + origin.peer;
  } else {
    caller.certified = certified_subject(*context.auth_context());
  }
  if (caller.certified) origin.peer += " CN=" + caller.certified->common_name;
  return origin;
}

}  // namespace sweepd::rpc
