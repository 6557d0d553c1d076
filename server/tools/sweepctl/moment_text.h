// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "match/config.h"
#include "replay/moment.h"

namespace sweepd::tools {

/// What a moment of a replay has of one kind: a line for people and a JSON object for each.
struct MomentLines {
  std::vector<std::string> text = {};
  std::vector<std::string> json = {};
};

/// The only object that is asked about; 0: all are.
MomentLines world_lines(const replay::Moment& moment, const match::MatchConfig& config, match::ObjectId only);
MomentLines encounter_lines(const replay::Moment& moment, const match::MatchConfig& config,
                            match::ObjectId only);
MomentLines event_lines(const replay::Moment& moment, const match::MatchConfig& config, match::ObjectId only);
/// Claims about it.
MomentLines claim_lines(const replay::Moment& moment, const match::MatchConfig& config, match::ObjectId only);
/// Of all; no object has any.
MomentLines score_lines(const replay::Moment& moment, const match::MatchConfig& config, match::ObjectId only);

/// Subunits in units: "1.5".
std::string units_text(std::int64_t subunits);

/// "CONFIRMED".
std::string verdict_name(match::Verdict verdict);
/// "ann (0)"; "participant 7" where there is none of that number.
std::string participant_text(const replay::Moment& moment, match::ParticipantNumber number);
std::string layer_text(const match::MatchConfig& config, collision::LayerId layer);
/// "claim 3 of ann (0): shot 12 at 99, NOT_OVERLAPPING, margin 2.5, judged at tick 310, seen at tick 305"
std::string claim_text(const replay::Moment& moment, const match::ClaimVerdict& verdict);

}  // namespace sweepd::tools
