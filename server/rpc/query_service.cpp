// SPDX-License-Identifier: MIT
#include "rpc/query_service.h"

#include <algorithm>
#include <optional>

#include "rpc/page_token.h"
#include "rpc/unary_call.h"

namespace sweepd::rpc {
namespace {

using ListCall = UnaryCall<v1::ListEncountersRequest, v1::ListEncountersResponse>;

constexpr std::uint32_t kPageSizeDefault = 1000;
constexpr std::uint32_t kPageSizeMax = 10'000;

void fill_page(const match::Match& match, const std::optional<collision::EncounterKey>& after,
               const v1::ListEncountersRequest& request, v1::ListEncountersResponse& response) {
  const std::uint32_t page_size =
      std::min(request.page_size() == 0 ? kPageSizeDefault : request.page_size(), kPageSizeMax);
  response.set_tick(match.tick());
  std::optional<collision::EncounterKey> last;
  for (const collision::Encounter& encounter : match.open_encounters()) {
    const collision::EncounterKey& key = encounter.key;
    const bool is_asked_for = request.object_id() == 0 || key.object_a == request.object_id() ||
                              key.object_b == request.object_id();
    if (!is_asked_for || (after && key <= *after)) continue;
    if (last && response.encounters_size() == static_cast<int>(page_size)) {
      response.set_next_page_token(encode_page_token(*last));
      return;
    }
    encode_encounter(encounter, *response.add_encounters());
    last = key;
  }
}

void list_encounters(ListCall& call) {
  const std::string& token = call.request().page_token();
  const auto after = decode_page_token(token);
  if (!after && !token.empty()) {
    return call.fail(invalid_field("INVALID_PAGE_TOKEN", {"page_token", "not a token of this method"}));
  }
  with_match(call, call.request().match_id(), [&call, after](runtime::MatchHost& host, LoopServer&) {
    fill_page(host.match(), after, call.request(), call.response());
    call.reply();
  });
}

}  // namespace

void accept_query_calls(LoopServer& server) {
  static const ListCall::Method list{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.query_service().RequestListEncounters(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      list_encounters};
  ListCall::accept(server, list);
}

}  // namespace sweepd::rpc
