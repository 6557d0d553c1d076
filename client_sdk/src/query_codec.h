// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "sweepd/queries.h"
#include "sweepd/status.h"
#include "sweepd/v1/query_service.pb.h"

namespace sweepd::internal {

ObjectState decode(const v1::ObjectState& object);
RayHit decode(const v1::RayHit& hit);
/// Nothing: there is no part.
std::optional<NearPart> decode(const v1::FindNearestResponse& response);

// Each adds a page of an answer, and has `request` ask for the next. kInternal: an empty page says that there
// is more; after which part, nothing says.
Status take_page(const v1::QueryRegionResponse& page, v1::QueryRegionRequest* request,
                 std::vector<PartName>* parts);
Status take_page(const v1::GetWorldResponse& page, v1::GetWorldRequest* request, World* world);

}  // namespace sweepd::internal
