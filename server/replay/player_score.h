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
/// all that a player has. None holds where the match has forgotten rows (`not_listed`): they may be of any
/// name.
std::string find_claim_fault(std::span<const match::Score> claimed, std::span<const match::Score> scores,
                             std::uint64_t not_listed = 0);

/// "3 further rows of players who left are not listed"
std::string not_listed_text(std::uint64_t rows);

/// Counts the rows of who left that a match forgets (Scoreboard::kFormerScoresMax) from its first tick on.
class ForgottenRows {
 public:
  /// What changed in a tick (TickOutput::scores).
  void note(std::span<const match::Score> changed);
  std::uint64_t count(const match::Scoreboard& scoreboard) const;

 private:
  std::uint64_t left_ = 0;  ///< With points; only those are kept.
};

}  // namespace sweepd::replay
