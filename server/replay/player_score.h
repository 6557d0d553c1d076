// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "match/scoreboard.h"

namespace sweepd::replay {

/// Whose rows are meant: those of a name, of a number, or of a name under a number.
struct PlayerOfRows {
  std::string name = {};  ///< Empty: any.
  std::optional<match::ParticipantNumber> participant = {};

  bool is(match::ParticipantNumber number, const std::string& other_name) const {
    return (name.empty() || name == other_name) && (!participant || number == *participant);
  }
};

/// The sum of a player's rows: a player that left and came back has several, and may not choose the best.
/// Absent: there is none, or a number alone does not say whose they are, as one that is free again goes to
/// the next.
std::optional<std::int64_t> score_of(const PlayerOfRows& player, std::span<const match::Score> scores);

/// What is wrong with the first claim that does not hold, by number; empty: all hold. The rows of a player
/// are added up on both sides, so a claim may be one row for all that a player has.
std::string find_claim_fault(std::span<const match::Score> claimed, std::span<const match::Score> scores);

}  // namespace sweepd::replay
