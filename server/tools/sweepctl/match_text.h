// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "sweepd/stream.h"
#include "sweepd/types.h"

namespace sweepd::tools {

/// Matches and what happens in them, in words for the terminal and as JSON.

const char* state_name(MatchState state);
/// As the command line has it: "sap".
const char* broadphase_name(BroadphaseKind kind);
/// "60 Hz" as it is now, "manual", or "lockstep 250 ms".
std::string clock_name(const MatchInfo& match);
/// 16 hexadecimal digits.
std::string digest_text(std::uint64_t digest);
/// "HOST:PORT"; the host, or the whole address, under which the server was reached where the endpoint names
/// none.
std::string endpoint_text(const Endpoint& endpoint, const std::string& server);

/// "59.9 Hz", and "0.25 ms": how late its ticks are (p99). "-" where no tick was due by time yet.
std::string achieved_rate_text(const MatchInfo& match);
std::string lateness_text(const MatchInfo& match);

/// "'stage 1', running, tick 312, 60 Hz, 3 participants, 315 objects, 382 events"
std::string match_line(const MatchInfo& match);
/// "ann 1200, ben 300"; empty where there are no scores.
std::string scores_text(const MatchInfo& match);

std::string match_json(const MatchInfo& match, const std::string& server);

/// "t=312 EXIT player_shot 1000002 part 0 / enemy 2000016 part 1: DESPAWNED"
std::string event_text(const Event& event, const MatchConfig& config);
std::string event_json(const Event& event, const MatchConfig& config);
/// Of an encounter that was open already.
std::string encounter_text(const Encounter& encounter, const MatchConfig& config);
std::string encounter_json(const Encounter& encounter, const MatchConfig& config);
/// Of events that are missing: the encounters that are open follow.
std::string snapshot_json(const EncounterSnapshot& snapshot);

}  // namespace sweepd::tools
