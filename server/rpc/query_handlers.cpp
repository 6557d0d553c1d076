// SPDX-License-Identifier: MIT
#include <algorithm>

#include "rpc/await_unary.h"
#include "rpc/match_codec.h"
#include "rpc/page_token.h"
#include "rpc/unary_handlers.h"

namespace sweepd::rpc {
namespace {

using ListCall = UnaryCall<v1::ListEncountersRequest, v1::ListEncountersResponse>;

constexpr std::uint32_t kPageDefault = 1000;
constexpr std::uint32_t kPageMax = 10'000;

void list_page(const match::Match& match, const collision::EncounterKey& after, ListCall& call) {
  const v1::ListEncountersRequest& request = call.request();
  const std::uint32_t page_size = std::min(request.page_size() == 0 ? kPageDefault : request.page_size(), kPageMax);
  call.response().set_tick(match.tick());
  collision::EncounterKey last;
  for (const collision::Encounter& encounter : match.open_encounters()) {
    const bool is_of_object = request.object_id() == 0 || encounter.key.object_a == request.object_id() ||
                              encounter.key.object_b == request.object_id();
    if (!is_of_object || encounter.key <= after) continue;
    if (static_cast<std::uint32_t>(call.response().encounters_size()) == page_size) {
      call.response().set_next_page_token(encode_page_token(last));
      return;
    }
    encode_encounter(encounter, call.response().add_encounters());
    last = encounter.key;
  }
}

void list_encounters(const ServiceContext& context, const std::shared_ptr<ListCall>& call) {
  const std::string& token = call->request().page_token();
  const auto after = token.empty() ? std::optional(collision::EncounterKey{}) : decode_page_token(token);
  if (!after) {
    return call->finish(to_status({grpc::StatusCode::INVALID_ARGUMENT, "INVALID_PAGE_TOKEN",
                                   "page_token: is none that this server has given", {}, "page_token"}));
  }
  on_match_loop(context, call, [call, after](const std::shared_ptr<runtime::MatchHost>& host) {
    list_page(host->match(), *after, *call);
    call->finish();
  });
}

}  // namespace

void await_query_calls(v1::QueryService::AsyncService& service, grpc::ServerCompletionQueue& queue,
                       const ServiceContext& context) {
  await_unary(service, queue, &v1::QueryService::AsyncService::RequestListEncounters,
              typename ListCall::Handler([&context](const auto& call) { list_encounters(context, call); }));
}

}  // namespace sweepd::rpc
