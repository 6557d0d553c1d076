// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "match/scoreboard.h"

namespace sweepd::replay {

/// The sum of a player's rows under all its numbers: a player that left and came back has several, may have
/// got another number, and may not choose the best row. Absent: there is none.
std::optional<std::int64_t> score_of(const std::string& name, std::span<const match::Score> scores);

/// What is wrong with the first claim that does not hold, by name; empty: all hold. Each has to be of a name
/// under a number that it had. The rows of a name are added up on both sides, so a claim may be one row for
/// all that a player has.
std::string find_claim_fault(std::span<const match::Score> claimed, std::span<const match::Score> scores);

}  // namespace sweepd::replay
