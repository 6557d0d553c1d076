// SPDX-License-Identifier: MIT
#pragma once

#include "session/unary_call.h"
#include "sweepd/v1/query_service.pb.h"

namespace sweepd::session {

// The methods of QueryService: see the contract.

void list_encounters(UnaryCall<v1::ListEncountersRequest, v1::ListEncountersResponse>& call);
void query_region(UnaryCall<v1::QueryRegionRequest, v1::QueryRegionResponse>& call);
void cast_ray(UnaryCall<v1::CastRayRequest, v1::CastRayResponse>& call);
void find_nearest(UnaryCall<v1::FindNearestRequest, v1::FindNearestResponse>& call);
void get_world(UnaryCall<v1::GetWorldRequest, v1::GetWorldResponse>& call);
void validate_hits(UnaryCall<v1::ValidateHitsRequest, v1::ValidateHitsResponse>& call);

}  // namespace sweepd::session
