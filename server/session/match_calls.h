// SPDX-License-Identifier: MIT
#pragma once

#include "session/unary_call.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::session {

// The unary methods of MatchService: see the contract.

void create_match(UnaryCall<v1::CreateMatchRequest, v1::CreateMatchResponse>& call);
void get_match(UnaryCall<v1::GetMatchRequest, v1::GetMatchResponse>& call);
void list_matches(UnaryCall<v1::ListMatchesRequest, v1::ListMatchesResponse>& call);
void end_match(UnaryCall<v1::EndMatchRequest, v1::EndMatchResponse>& call);
void step_match(UnaryCall<v1::StepMatchRequest, v1::StepMatchResponse>& call);
void control_clock(UnaryCall<v1::ControlClockRequest, v1::ControlClockResponse>& call);

}  // namespace sweepd::session
