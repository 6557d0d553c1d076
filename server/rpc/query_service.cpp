// SPDX-License-Identifier: MIT
#include "rpc/query_service.h"

#include <algorithm>
#include <optional>

#include "rpc/page_token.h"
#include "rpc/query_codec.h"
#include "rpc/unary_call.h"

namespace sweepd::rpc {
namespace {

using ListCall = UnaryCall<v1::ListEncountersRequest, v1::ListEncountersResponse>;

constexpr std::uint32_t kPageSizeDefault = 1000;
constexpr std::uint32_t kPageSizeMax = kAnswersMax;

void fill_page(const match::Match& match, const std::optional<collision::EncounterKey>& after,
               const v1::ListEncountersRequest& request, v1::ListEncountersResponse& response) {
  const std::uint32_t page_size =
      std::min(request.page_size() == 0 ? kPageSizeDefault : request.page_size(), kPageSizeMax);
  response.set_tick(match.tick());
  std::optional<collision::EncounterKey> last;
  const std::vector<collision::Encounter> encounters =
      request.object_id() == 0 ? match.open_encounters() : match.queries().encounters_of(request.object_id());
  for (const collision::Encounter& encounter : encounters) {
    const collision::EncounterKey& key = encounter.key;
    if (after && key <= *after) continue;
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

using RegionCall = UnaryCall<v1::QueryRegionRequest, v1::QueryRegionResponse>;
using RayCall = UnaryCall<v1::CastRayRequest, v1::CastRayResponse>;
using NearestCall = UnaryCall<v1::FindNearestRequest, v1::FindNearestResponse>;

void encode_name(const collision::PartName& name, v1::PartName& message) {
  message.set_object_id(name.object);
  message.set_part(name.part);
}

/// Runs `answer(match, layers)` on the match's loop, or fails the call for a layer that the match does not have.
template <typename Call, typename Answer>
void ask(Call& call, Answer answer) {
  with_match(call, call.request().match_id(), [&call, answer](runtime::MatchHost& host, LoopServer&) {
    const auto layers = decode_layers(call.request().layers(), host.match().config().layers.size());
    if (!layers) return call.fail(invalid_field("INVALID_QUERY", layers.error()));
    call.response().set_tick(host.match().tick());
    answer(host.match(), layers.value());
    call.reply();
  });
}

void query_region(RegionCall& call) {
  const auto limit = decode_limit("parts_max", call.request().parts_max(), kPageSizeDefault);
  if (!limit) return call.fail(invalid_field("INVALID_QUERY", limit.error()));
  const auto region = decode_region(call.request());
  if (!region) return call.fail(invalid_field("INVALID_QUERY", region.error()));
  ask(call, [&call, limit = limit.value(), region = region.value()](const match::Match& match, std::uint64_t layers) {
    const collision::PartName after{call.request().after().object_id(),
                                    static_cast<std::uint8_t>(std::min(call.request().after().part(), 255u))};
    v1::QueryRegionResponse& response = call.response();
    for (const collision::PartName& name : match.queries().in_region(region, layers)) {
      if (call.request().has_after() && name <= after) continue;
      response.set_has_more(response.parts_size() == limit);
      if (response.has_more()) return;
      encode_name(name, *response.add_parts());
    }
  });
}

void cast_ray(RayCall& call) {
  const auto limit = decode_limit("hits_max", call.request().hits_max(), 1);
  if (!limit) return call.fail(invalid_field("INVALID_QUERY", limit.error()));
  ask(call, [&call, limit = limit.value()](const match::Match& match, std::uint64_t layers) {
    const v1::CastRayRequest& request = call.request();
    const collision::Ray ray{{request.from_x(), request.from_y()}, {request.to_x(), request.to_y()}};
    v1::CastRayResponse& response = call.response();
    for (const collision::RayHit& hit : match.queries().all_hits(ray, layers)) {
      response.set_has_more(response.hits_size() == limit);
      if (response.has_more()) return;
      v1::RayHit& message = *response.add_hits();
      encode_name(hit.part, *message.mutable_part());
      message.set_distance(hit.steps);
    }
  });
}

void find_nearest(NearestCall& call) {
  ask(call, [&call](const match::Match& match, std::uint64_t layers) {
    const auto nearest = match.queries().nearest({call.request().x(), call.request().y()}, layers);
    if (!nearest) return;
    encode_name(nearest->part, *call.response().mutable_part());
    call.response().set_distance(nearest->distance);
  });
}

}  // namespace

void accept_query_calls(LoopServer& server) {
  static const ListCall::Method list{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.query_service().RequestListEncounters(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      list_encounters};
  static const RegionCall::Method region{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.query_service().RequestQueryRegion(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      query_region};
  static const RayCall::Method ray{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.query_service().RequestCastRay(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      cast_ray};
  static const NearestCall::Method nearest{
      [](LoopServer& to, auto* context, auto* request, auto* writer, void* tag) {
        to.query_service().RequestFindNearest(context, request, writer, &to.queue(), &to.queue(), tag);
      },
      find_nearest};
  ListCall::accept(server, list);
  RegionCall::accept(server, region);
  RayCall::accept(server, ray);
  NearestCall::accept(server, nearest);
}

}  // namespace sweepd::rpc
