// SPDX-License-Identifier: MIT
#include "identity/rights_table.h"

#include <algorithm>

namespace sweepd::identity {
namespace {

constexpr RightsCell kNo = {Right::kNo, Right::kNo};
constexpr RightsCell kAll = {Right::kYes, Right::kYes};
constexpr RightsCell kOwn = {Right::kYes, Right::kNo};
constexpr RightsCell kTicket = {Right::kIfTicketSays, Right::kIfTicketSays};
constexpr RightsCell kMatch = {Right::kIfMatchAllows, Right::kNo};
constexpr RightsCell kPart = {Right::kInPart, Right::kNo};
constexpr RightsCell kAdmin = {Right::kAtAdminListener, Right::kAtAdminListener};
constexpr RightsCell kHere = {Right::kYes, Right::kAtAdminListener};

// The creator of a match ends, paces and steps it by every listener, operators those of others by the admin
// listener; its participants do so if its config lists their role.
// Moderators get evidence: replays, verification, counters. Queries about the world help cheats and not
// games, so players have none, nor have observers, who may pass answers on to players.
// clang-format off
constexpr RightsRow kRows[] = {
    //                                              operator backend  moderator stage   player  observer anonymous
    {"sweepd.v1.MatchService/CreateMatch",          {kAll,   kTicket, kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.MatchService/GetMatch",             {kAll,   kOwn,    kOwn,     kOwn,   kPart,  kPart,   kNo}},
    {"sweepd.v1.MatchService/ListMatches",          {kAll,   kOwn,    kOwn,     kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.MatchService/EndMatch",             {kHere,  kOwn,    kNo,      kMatch, kMatch, kMatch,  kNo}},
    {"sweepd.v1.MatchService/Play as player",       {kAll,   kOwn,    kNo,      kNo,    kPart,  kNo,     kNo}},
    {"sweepd.v1.MatchService/Play as stage",        {kAll,   kOwn,    kNo,      kOwn,   kNo,    kNo,     kNo}},
    {"sweepd.v1.MatchService/Play as observer",     {kAll,   kOwn,    kNo,      kNo,    kNo,    kPart,   kNo}},
    {"sweepd.v1.MatchService/Watch",                {kAll,   kOwn,    kNo,      kOwn,   kMatch, kPart,   kNo}},
    {"sweepd.v1.MatchService/StepMatch",            {kHere,  kOwn,    kNo,      kMatch, kMatch, kMatch,  kNo}},
    {"sweepd.v1.MatchService/ControlClock",         {kHere,  kOwn,    kNo,      kMatch, kMatch, kMatch,  kNo}},
    {"sweepd.v1.QueryService/ListEncounters",       {kAll,   kOwn,    kNo,      kOwn,   kMatch, kMatch,  kNo}},
    {"sweepd.v1.QueryService/QueryRegion",          {kAll,   kOwn,    kNo,      kOwn,   kMatch, kMatch,  kNo}},
    {"sweepd.v1.QueryService/CastRay",              {kAll,   kOwn,    kNo,      kOwn,   kMatch, kMatch,  kNo}},
    {"sweepd.v1.QueryService/FindNearest",          {kAll,   kOwn,    kNo,      kOwn,   kMatch, kMatch,  kNo}},
    {"sweepd.v1.QueryService/GetWorld",             {kAll,   kOwn,    kNo,      kOwn,   kMatch, kMatch,  kNo}},
    {"sweepd.v1.QueryService/ValidateHits",         {kAll,   kOwn,    kNo,      kOwn,   kMatch, kMatch,  kNo}},
    {"sweepd.v1.ReplayService/GetReplay",           {kAll,   kOwn,    kOwn,     kMatch, kMatch, kMatch,  kNo}},
    {"sweepd.v1.ReplayService/VerifyReplay",        {kAll,   kAll,    kAll,     kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.ReplayService/GetPublicKey",        {kAll,   kAll,    kAll,     kAll,   kAll,   kAll,    kNo}},
    {"grpc.health.v1.Health/Check",                 {kAll,   kAll,    kAll,     kAll,   kAll,   kAll,    kAll}},
    {"grpc.health.v1.Health/Watch",                 {kAll,   kAll,    kAll,     kAll,   kAll,   kAll,    kNo}},
    {"grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                                                    {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.AdminService/Kick",                 {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.AdminService/Ban",                  {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.AdminService/Unban",                {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.AdminService/ListBans",             {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.AdminService/GetLogLevel",          {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.AdminService/SetLogLevel",          {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.AdminService/ReloadKeys",           {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.AdminService/HoldReplay",           {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
    {"sweepd.v1.AdminService/DeleteReplay",         {kAdmin, kNo,     kNo,      kNo,    kNo,    kNo,     kNo}},
};
// clang-format on

}  // namespace

std::span<const RightsRow> rights_rows() { return kRows; }

Right right_of(std::string_view rpc, PrincipalKind kind, MatchRelation relation) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [rpc](const RightsRow& known) { return known.rpc == rpc; });
  const auto column = std::find(kPrincipalKinds.begin(), kPrincipalKinds.end(), kind);
  if (row == std::end(kRows) || column == kPrincipalKinds.end()) return Right::kNo;
  return row->cells[static_cast<std::size_t>(column - kPrincipalKinds.begin())].of(relation);
}

std::string play_as(PrincipalKind role) {
  return "sweepd.v1.MatchService/Play as " + std::string(is_participant(role) ? name_of(role) : "nothing");
}

}  // namespace sweepd::identity
