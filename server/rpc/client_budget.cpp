// SPDX-License-Identifier: MIT
#include "rpc/client_budget.h"

#include <charconv>
#include <string>

#include "rpc/loop_server.h"
#include "rpc/status.h"

namespace sweepd::rpc {
namespace {

using boost::asio::ip::tcp;
using runtime::Resource;

/// Of an address of version 6, as it stands in gRPC's names.
std::string without_brackets(std::string text) {
  for (const std::string_view bracket : {"%5B", "%5D", "[", "]"}) {
    const std::size_t at = text.find(bracket);
    if (at != std::string::npos) text.erase(at, bracket.size());
  }
  return text;
}

struct Wording {
  const char* reason;
  const char* what;
  const char* option;
};

Wording wording_of(Resource resource) {
  switch (resource) {
    case Resource::kConnections:
      return {"TOO_MANY_CONNECTIONS", "connections", "--connections-per-client-max"};
    case Resource::kStreams:
      return {"TOO_MANY_STREAMS", "streams", "--streams-per-client-max"};
    case Resource::kCalls:
      return {"TOO_MANY_CALLS", "calls under way", "--calls-per-client-max"};
    case Resource::kMatches:
      return {"TOO_MANY_MATCHES", "matches", "--matches-per-client-max"};
    case Resource::kBytes:
      break;
  }
  return {"TOO_MANY_BYTES", "bytes of requests and of answers that are not taken",
          "--message-mib-per-client-max"};
}

runtime::BudgetKey key_of(const tcp::endpoint& endpoint, const runtime::ConnectionTable::Peer& peer) {
  return runtime::key_of_address(peer.client.value_or(endpoint.address()));
}

std::shared_ptr<runtime::ConnectionUse> count_call(const std::shared_ptr<runtime::ConnectionUse>& use) {
  if (!use) return nullptr;
  ++use->calls;
  return {use.get(), [use](runtime::ConnectionUse* /*same*/) { --use->calls; }};
}

constexpr std::chrono::seconds kRetryDelay{1};
/// What a stranger fills in seconds, its end frees in seconds.
constexpr std::chrono::seconds kMemoryRetryDelay{5};

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

runtime::BudgetKey key_of_peer(const Backend& backend, std::string_view peer) {
  const auto endpoint = endpoint_of_peer(peer);
  if (!endpoint) return runtime::BudgetKey(std::string(peer));
  return key_of(*endpoint, backend.connections.find(*endpoint));
}

Caller caller_of(Backend& backend, const grpc::ServerContext& context) {
  const std::string name = context.peer();
  const auto endpoint = endpoint_of_peer(name);
  if (!endpoint) return {.account = backend.budgets.account(runtime::BudgetKey(name)), .connection = nullptr};
  const auto peer = backend.connections.find(*endpoint);
  Caller caller{.account = backend.budgets.account(key_of(*endpoint, peer)),
                .connection = count_call(peer.use)};
  caller.count_message();
  return caller;
}

base::Result<BudgetShare, grpc::Status> take_stream(Backend& backend,
                                                    const runtime::Budgets::AccountPtr& account) {
  auto share = backend.budgets.take(account, Resource::kStreams);
  if (!share) return over_budget(share.error());
  return std::move(*share);
}

base::Result<BudgetShare, grpc::Status> take_message(Backend& backend,
                                                     const runtime::Budgets::AccountPtr& account,
                                                     std::size_t bytes) {
  if (bytes < kSmallMessageBytes) return BudgetShare{};
  auto share = backend.budgets.take(account, Resource::kBytes, bytes);
  if (!share) return over_budget(share.error());
  return std::move(*share);
}

grpc::Status over_budget(const runtime::Excess& excess) {
  const Wording wording = wording_of(excess.resource);
  const std::string limit = std::to_string(excess.limit);
  const std::string what = limit + " " + wording.what;
  return make_status(
      grpc::StatusCode::RESOURCE_EXHAUSTED,
      {.reason = wording.reason,
       .message = excess.is_of_key ? "your address has " + what + ", its limit (" + wording.option + ")"
                                   : "the server has " + what + ", its limit",
       .metadata = {{"limit", limit}, {"scope", excess.is_of_key ? "client" : "server"}},
       .retry_delay = kRetryDelay});
}

grpc::Status memory_is_short(const runtime::MemoryGuard& memory) {
  const std::string limit = std::to_string(memory.bytes_max() >> 20);
  return make_status(grpc::StatusCode::RESOURCE_EXHAUSTED,
                     {.reason = "MEMORY_SHORT",
                      .message = "the server has taken nine tenths of the " + limit +
                                 " MiB that it may (--memory-max-mib); what runs goes on",
                      .metadata = {{"memory_max_mib", limit}},
                      .retry_delay = kMemoryRetryDelay});
}

}  // namespace sweepd::rpc
