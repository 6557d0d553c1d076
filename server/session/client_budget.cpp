// SPDX-License-Identifier: MIT
#include "session/client_budget.h"

#include <string>

#include "session/backend.h"
#include "session/status.h"

namespace sweepd::session {
namespace {

using boost::asio::ip::tcp;
using runtime::Resource;

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

std::shared_ptr<runtime::ConnectionUse> count_call(const std::shared_ptr<runtime::ConnectionUse>& use) {
  if (!use) return nullptr;
  ++use->calls;
  return {use.get(), [use](runtime::ConnectionUse* /*same*/) { --use->calls; }};
}

constexpr std::chrono::seconds kRetryDelay{1};
/// What a stranger fills in seconds, its end frees in seconds.
constexpr std::chrono::seconds kMemoryRetryDelay{5};

}  // namespace

Caller caller_at(Backend& backend, const tcp::endpoint& endpoint) {
  const auto peer = backend.connections.find(endpoint);
  return {.account = backend.budgets.account(runtime::key_of_address(peer.address_of(endpoint))),
          .connection = count_call(peer.use),
          .is_behind_front = peer.client.has_value(),
          .certified = peer.client ? peer.client->certified : nullptr};
}

Caller caller_named(Backend& backend, std::string name) {
  return {.account = backend.budgets.account(runtime::BudgetKey(std::move(name))), .connection = nullptr};
}

base::Result<BudgetShare, Status> take_stream(Backend& backend, const runtime::Budgets::AccountPtr& account) {
  auto share = backend.budgets.take(account, Resource::kStreams);
  if (!share) return over_budget(share.error());
  return std::move(*share);
}

base::Result<BudgetShare, Status> take_message(Backend& backend, const runtime::Budgets::AccountPtr& account,
                                               std::size_t bytes) {
  if (bytes < kSmallMessageBytes) return BudgetShare{};
  auto share = backend.budgets.take(account, Resource::kBytes, bytes);
  if (!share) return over_budget(share.error());
  return std::move(*share);
}

Status over_budget(const runtime::Excess& excess) {
  const Wording wording = wording_of(excess.resource);
  const std::string limit = std::to_string(excess.limit);
  const std::string what = limit + " " + wording.what;
  return make_status(
      Code::kResourceExhausted,
      {.reason = wording.reason,
       .message = excess.is_of_key ? "you have " + what + ", its limit (" + wording.option + ")"
                                   : "the server has " + what + ", its limit",
       .metadata = {{"limit", limit}, {"scope", excess.is_of_key ? "client" : "server"}},
       .retry_delay = kRetryDelay});
}

Status memory_is_short(const runtime::MemoryGuard& memory) {
  const std::string limit = std::to_string(memory.bytes_max() >> 20);
  return make_status(Code::kResourceExhausted,
                     {.reason = "MEMORY_SHORT",
                      .message = "the server has taken nine tenths of the " + limit +
                                 " MiB that it may (--memory-max-mib); what runs goes on",
                      .metadata = {{"memory_max_mib", limit}},
                      .retry_delay = kMemoryRetryDelay});
}

}  // namespace sweepd::session
