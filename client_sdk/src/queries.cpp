// SPDX-License-Identifier: MIT
#include "claim_codec.h"
#include "client_impl.h"
#include "query_codec.h"
#include "shape_codec.h"
#include "subunits.h"

namespace sweepd {
namespace {

constexpr std::uint32_t kPartsPerPage = 10'000;
constexpr std::uint32_t kObjectsPerPage = 2'000;

template <typename Request>
Request make_request(const std::string& match_id, const std::vector<std::uint32_t>& layers, Tick at_tick) {
  Request request;
  request.set_match_id(match_id);
  request.set_at_tick(at_tick);
  request.mutable_layers()->Add(layers.begin(), layers.end());
  return request;
}

/// The field of an argument that is a point.
struct PointFields {
  const char* x;
  const char* y;
};

internal::Checked to_subunits(Vec2 point, PointFields fields, std::int32_t* x, std::int32_t* y) {
  if (auto error = internal::to_subunits(point.x, fields.x, x)) return error;
  return internal::to_subunits(point.y, fields.y, y);
}

}  // namespace

Result<std::vector<PartName>> Client::query_region(const std::string& match_id, const Box& region,
                                                   const std::vector<std::uint32_t>& layers, Tick at_tick) {
  auto request = make_request<v1::QueryRegionRequest>(match_id, layers, at_tick);
  if (auto error = internal::encode(region, request.mutable_region())) {
    return std::move(*error).within("region").status();
  }
  request.set_parts_max(kPartsPerPage);
  // One deadline for all pages, so that the call ends in time even if the pages do not.
  const TimePoint deadline = impl_->deadline();
  std::vector<PartName> parts;
  v1::QueryRegionResponse response;
  do {
    Status status =
        impl_->call(*impl_->queries, &v1::QueryService::Stub::QueryRegion, request, &response, deadline);
    if (status.ok()) status = internal::take_page(response, &request, &parts);
    if (!status.ok()) return status;
  } while (response.has_more());
  return parts;
}

Result<std::vector<RayHit>> Client::cast_ray(const std::string& match_id, Vec2 from, Vec2 to,
                                             const std::vector<std::uint32_t>& layers, std::uint32_t hits_max,
                                             Tick at_tick) {
  if (hits_max == 0)
    return Status{ErrorCode::kInvalidArgument, "hits_max is 0; at least 1 is needed", {}, "hits_max"};
  auto request = make_request<v1::CastRayRequest>(match_id, layers, at_tick);
  std::int32_t x = 0;
  std::int32_t y = 0;
  if (auto error = to_subunits(from, {"from.x", "from.y"}, &x, &y)) return error->status();
  request.set_from_x(x);
  request.set_from_y(y);
  if (auto error = to_subunits(to, {"to.x", "to.y"}, &x, &y)) return error->status();
  request.set_to_x(x);
  request.set_to_y(y);
  request.set_hits_max(hits_max);
  const auto response = impl_->ask(*impl_->queries, &v1::QueryService::Stub::CastRay, request);
  if (!response.ok()) return response.status();
  std::vector<RayHit> hits;
  for (const auto& hit : response->hits()) hits.push_back(internal::decode(hit));
  return hits;
}

Result<std::optional<NearPart>> Client::find_nearest(const std::string& match_id, Vec2 point,
                                                     const std::vector<std::uint32_t>& layers, Tick at_tick) {
  auto request = make_request<v1::FindNearestRequest>(match_id, layers, at_tick);
  std::int32_t x = 0;
  std::int32_t y = 0;
  if (auto error = to_subunits(point, {"point.x", "point.y"}, &x, &y)) return error->status();
  request.set_x(x);
  request.set_y(y);
  const auto response = impl_->ask(*impl_->queries, &v1::QueryService::Stub::FindNearest, request);
  if (!response.ok()) return response.status();
  return internal::decode(*response);
}

Result<World> Client::get_world(const std::string& match_id, Tick at_tick) {
  v1::GetWorldRequest request;
  request.set_match_id(match_id);
  request.set_at_tick(at_tick);
  request.set_objects_max(kObjectsPerPage);
  const TimePoint deadline = impl_->deadline();
  World world;
  v1::GetWorldResponse response;
  do {
    Status status =
        impl_->call(*impl_->queries, &v1::QueryService::Stub::GetWorld, request, &response, deadline);
    if (status.ok()) status = internal::take_page(response, &request, &world);
    if (!status.ok()) return status;
  } while (response.has_more());
  return world;
}

Result<std::vector<ClaimVerdict>> Client::validate_hits(const std::string& match_id,
                                                        ParticipantNumber participant,
                                                        const std::vector<HitClaim>& claims) {
  v1::ValidateHitsRequest request;
  request.set_match_id(match_id);
  request.set_participant(participant);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (auto error = internal::encode(claims[i], request.add_claims())) {
      return std::move(*error).at(i).within("claims").status();
    }
  }
  const auto response = impl_->ask(*impl_->queries, &v1::QueryService::Stub::ValidateHits, request);
  if (!response.ok()) return response.status();
  std::vector<ClaimVerdict> verdicts;
  for (const auto& verdict : response->verdicts()) verdicts.push_back(internal::decode(verdict));
  return verdicts;
}

}  // namespace sweepd
