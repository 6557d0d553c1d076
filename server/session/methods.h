// SPDX-License-Identifier: MIT
#pragma once

#include "session/unary_call.h"
#include "sweepd/v1/admin_service.pb.h"
#include "sweepd/v1/match_service.pb.h"
#include "sweepd/v1/query_service.pb.h"
#include "sweepd/v1/replay_service.pb.h"

// The unary methods of the contract: see there.
namespace sweepd::session {

using CreateMatchCall = UnaryCall<v1::CreateMatchRequest, v1::CreateMatchResponse>;
using GetMatchCall = UnaryCall<v1::GetMatchRequest, v1::GetMatchResponse>;
using ListMatchesCall = UnaryCall<v1::ListMatchesRequest, v1::ListMatchesResponse>;
using EndMatchCall = UnaryCall<v1::EndMatchRequest, v1::EndMatchResponse>;
using StepMatchCall = UnaryCall<v1::StepMatchRequest, v1::StepMatchResponse>;
using ControlClockCall = UnaryCall<v1::ControlClockRequest, v1::ControlClockResponse>;
using ListEncountersCall = UnaryCall<v1::ListEncountersRequest, v1::ListEncountersResponse>;
using QueryRegionCall = UnaryCall<v1::QueryRegionRequest, v1::QueryRegionResponse>;
using CastRayCall = UnaryCall<v1::CastRayRequest, v1::CastRayResponse>;
using FindNearestCall = UnaryCall<v1::FindNearestRequest, v1::FindNearestResponse>;
using GetWorldCall = UnaryCall<v1::GetWorldRequest, v1::GetWorldResponse>;
using ValidateHitsCall = UnaryCall<v1::ValidateHitsRequest, v1::ValidateHitsResponse>;
using GetPublicKeyCall = UnaryCall<v1::GetPublicKeyRequest, v1::GetPublicKeyResponse>;
using KickCall = UnaryCall<v1::KickRequest, v1::KickResponse>;
using BanCall = UnaryCall<v1::BanRequest, v1::BanResponse>;
using UnbanCall = UnaryCall<v1::UnbanRequest, v1::UnbanResponse>;
using ListBansCall = UnaryCall<v1::ListBansRequest, v1::ListBansResponse>;
using GetLogLevelCall = UnaryCall<v1::GetLogLevelRequest, v1::GetLogLevelResponse>;
using SetLogLevelCall = UnaryCall<v1::SetLogLevelRequest, v1::SetLogLevelResponse>;
using ReloadKeysCall = UnaryCall<v1::ReloadKeysRequest, v1::ReloadKeysResponse>;
using HoldReplayCall = UnaryCall<v1::HoldReplayRequest, v1::HoldReplayResponse>;
using DeleteReplayCall = UnaryCall<v1::DeleteReplayRequest, v1::DeleteReplayResponse>;

void create_match(CreateMatchCall& call);
void get_match(GetMatchCall& call);
void list_matches(ListMatchesCall& call);
void end_match(EndMatchCall& call);
void step_match(StepMatchCall& call);
void control_clock(ControlClockCall& call);

void list_encounters(ListEncountersCall& call);
void query_region(QueryRegionCall& call);
void cast_ray(CastRayCall& call);
void find_nearest(FindNearestCall& call);
void get_world(GetWorldCall& call);
void validate_hits(ValidateHitsCall& call);

void get_public_key(GetPublicKeyCall& call);

void kick(KickCall& call);
void ban(BanCall& call);
void unban(UnbanCall& call);
void list_bans(ListBansCall& call);
void get_log_level(GetLogLevelCall& call);
void set_log_level(SetLogLevelCall& call);
void reload_keys(ReloadKeysCall& call);
void hold_replay(HoldReplayCall& call);
void delete_replay(DeleteReplayCall& call);

/// A row for each, by service: `visit(UnaryMethod)`. Every door offers them all.
constexpr void for_each_match_method(const auto& visit) {
  constexpr bool kRelief = true;
  constexpr bool kAside = true;
  visit(UnaryMethod(create_match, !kRelief, kAside));
  visit(UnaryMethod(get_match));
  visit(UnaryMethod(list_matches));
  visit(UnaryMethod(end_match, kRelief));
  visit(UnaryMethod(step_match));
  visit(UnaryMethod(control_clock));
}
constexpr void for_each_query_method(const auto& visit) {
  visit(UnaryMethod(list_encounters));
  visit(UnaryMethod(query_region));
  visit(UnaryMethod(cast_ray));
  visit(UnaryMethod(find_nearest));
  visit(UnaryMethod(get_world));
  visit(UnaryMethod(validate_hits));
}
constexpr void for_each_replay_method(const auto& visit) { visit(UnaryMethod(get_public_key)); }
/// Of the admin listener alone.
constexpr void for_each_admin_method(const auto& visit) {
  constexpr bool kRelief = true;
  visit(UnaryMethod(kick, kRelief));
  visit(UnaryMethod(ban, kRelief));
  visit(UnaryMethod(unban, kRelief));
  visit(UnaryMethod(list_bans, kRelief));
  visit(UnaryMethod(get_log_level, kRelief));
  visit(UnaryMethod(set_log_level, kRelief));
  visit(UnaryMethod(reload_keys, kRelief));
  visit(UnaryMethod(hold_replay, kRelief));
  visit(UnaryMethod(delete_replay, kRelief));
}

}  // namespace sweepd::session
