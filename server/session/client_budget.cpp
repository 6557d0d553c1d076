// SPDX-License-Identifier: MIT
#include "session/client_budget.h"

#include <algorithm>
#include <array>
#include <string>

#include "runtime/connections/peer_name.h"
#include "session/backend.h"
#include "session/status.h"

namespace sweepd::session {
namespace {

using boost::asio::ip::tcp;
using runtime::KeyKind;
using runtime::Resource;

struct Wording {
  const char* reason;
  const char* what;         ///< Of what is held: that one has. Else: what one has done more than.
  const char* beyond = "";  ///< After the number of what is spent.
};

constexpr std::array<Wording, runtime::kResources> kWordings{{
    {"TOO_MANY_CONNECTIONS", "connections"},
    {"TOO_MANY_STREAMS", "streams"},
    {"TOO_MANY_CALLS", "calls under way"},
    {"TOO_MANY_MATCHES", "matches"},
    {"TOO_MANY_SEATS", "seats in matches"},
    {"TOO_MANY_BYTES", "bytes of requests and of answers that are not taken"},
    {"TOO_MANY_VERIFICATIONS", "verifications under way"},
    {"TOO_MANY_VERIFICATIONS", "bytes of replays that are verified"},
    {"TOO_MANY_FRAMES", "sent", " frames a second"},
    {"TOO_MANY_FRAME_BYTES", "sent", " bytes a second on Play streams"},
    {"QUERIES_TOO_COSTLY", "asked for", " tests of shapes a second"},
    {"TOO_MANY_CLAIMS", "made", " claims a second"},
    {"TOO_MANY_BYTES_WRITTEN", "written", " bytes a second to the journal"},
    {"TOO_MANY_FAILED_TICKETS", "shown", " tickets a second that are no good"},
    {"TOO_MANY_REPLAY_BYTES", "bytes of replays"},
}};

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
  const runtime::BudgetKey address = runtime::key_of_address(peer.address_of(endpoint));
  return {.payers = backend.budgets.account(KeyKind::kAddress, address),
          .connection = count_call(peer.use),
          .behind_front = peer.client ? runtime::peer_name(peer.client->address) : std::string(),
          .certified = peer.client ? peer.client->certified : nullptr};
}

Caller caller_named(Backend& backend, std::string name) {
  return {.payers = backend.budgets.account(KeyKind::kAddress, runtime::BudgetKey(std::move(name))),
          .connection = nullptr};
}

base::Result<BudgetShare, Status> take(Backend& backend, const runtime::Payers& payers, Resource resource,
                                       std::size_t amount) {
  auto share = backend.budgets.take(payers, resource, amount);
  if (!share) return over_budget(share.error());
  return std::move(*share);
}

base::Result<BudgetShare, Status> take_message(Backend& backend, const runtime::Payers& payers,
                                               std::size_t bytes) {
  if (bytes < kSmallMessageBytes) return BudgetShare{};
  return take(backend, payers, Resource::kBytes, bytes);
}

std::string text_of(const runtime::Excess& excess) {
  const Wording& wording = kWordings.at(runtime::index_of(excess.resource));
  const std::string limit = std::to_string(excess.limit);
  if (!excess.kind) return "the server has " + limit + " " + wording.what + ", its limit";
  std::string text = "your " + std::string(runtime::name_of(*excess.kind)) + " has ";
  text += runtime::is_spent(excess.resource)
              ? std::string(wording.what) + " more than " + limit + wording.beyond
              : limit + " " + wording.what;
  return text + ", its limit (" + runtime::flag_of(excess.resource, *excess.kind) + ")";
}

Status over_budget(const runtime::Excess& excess) {
  const std::string key(excess.kind ? runtime::name_of(*excess.kind) : "server");
  return make_status(
      Code::kResourceExhausted,
      {.reason = kWordings.at(runtime::index_of(excess.resource)).reason,
       .message = text_of(excess),
       .metadata = {{"limit", std::to_string(excess.limit)},
                    {"scope", excess.kind ? "client" : "server"},
                    {"key", key}},
       .retry_delay = std::max(kRetryDelay, std::chrono::ceil<std::chrono::seconds>(excess.retry_after))});
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
