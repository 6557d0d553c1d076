// SPDX-License-Identifier: MIT
#include "query_codec.h"

#include "object_codec.h"
#include "shape_codec.h"
#include "subunits.h"

namespace sweepd::internal {
namespace {

constexpr double kRaySteps = 65'536;

PartName decode(const v1::PartName& name) { return {name.object_id(), name.part()}; }

Status endless_page() { return {ErrorCode::kInternal, "the server sent an empty page before the last one"}; }

}  // namespace

ObjectState decode(const v1::ObjectState& object) {
  ObjectState state{.id = object.object_id(),
                    .owner = object.owner(),
                    .position = {to_units(object.x()), to_units(object.y())},
                    .motion = decode(object.motion()),
                    .is_disabled = object.is_disabled(),
                    .parts = {}};
  for (const auto& part : object.parts()) state.parts.push_back(decode(part));
  return state;
}

RayHit decode(const v1::RayHit& hit) { return {decode(hit.part()), hit.distance() / kRaySteps}; }

std::optional<NearPart> decode(const v1::FindNearestResponse& response) {
  if (!response.has_part()) return std::nullopt;
  return NearPart{decode(response.part()), static_cast<double>(response.distance()) / kSubunitsPerUnit};
}

Status take_page(const v1::QueryRegionResponse& page, v1::QueryRegionRequest* request,
                 std::vector<PartName>* parts) {
  for (const auto& part : page.parts()) parts->push_back(decode(part));
  if (!page.has_more()) return {};
  if (page.parts().empty()) return endless_page();
  *request->mutable_after() = *page.parts().rbegin();
  return {};
}

Status take_page(const v1::GetWorldResponse& page, v1::GetWorldRequest* request, World* world) {
  world->tick = page.tick();
  for (const auto& object : page.objects()) world->objects.push_back(decode(object));
  if (!page.has_more()) return {};
  if (page.objects().empty()) return endless_page();
  request->set_at_tick(page.tick());
  request->set_after_object_id(page.objects().rbegin()->object_id());
  return {};
}

}  // namespace sweepd::internal
