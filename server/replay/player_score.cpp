// SPDX-License-Identifier: MIT
#include "replay/player_score.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/saturating_sum.h"
#include "base/visible_text.h"

namespace sweepd::replay {
namespace {

using Sums = std::map<std::string, std::int64_t>;

Sums sums_of(std::span<const match::Score> scores) {
  Sums sums;
  for (const match::Score& score : scores) {
    std::int64_t& sum = sums[score.name];
    sum = base::saturating_sum(sum, score.score);
  }
  return sums;
}

}  // namespace

std::optional<std::int64_t> score_of(const std::string& name, std::span<const match::Score> scores) {
  std::optional<std::int64_t> sum;
  for (const match::Score& score : scores)
    if (score.name == name) sum = base::saturating_sum(sum.value_or(0), score.score);
  return sum;
}

std::string not_listed_text(std::uint64_t rows) {
  return rows == 1 ? "1 further row of players who left is not listed"
                   : std::to_string(rows) + " further rows of players who left are not listed";
}

void ForgottenRows::note(std::span<const match::Score> changed) {
  for (const match::Score& score : changed)
    if (score.has_left && score.score != 0) ++left_;
}

std::uint64_t ForgottenRows::count(const match::Scoreboard& scoreboard) const {
  return left_ - std::min<std::uint64_t>(left_, scoreboard.former().size());
}

std::string find_claim_fault(std::span<const match::Score> claimed, std::span<const match::Score> scores,
                             std::uint64_t not_listed) {
  std::set<std::pair<std::string, match::ParticipantNumber>> seats;
  for (const match::Score& score : scores) seats.emplace(score.name, score.participant);
  for (const match::Score& claim : claimed)
    if (!seats.contains({claim.name, claim.participant}))
      return base::quoted(claim.name) + " claims " + std::to_string(claim.score) + ", and has no score";
  const Sums sums = sums_of(scores);
  for (const auto& [name, claim] : sums_of(claimed)) {
    const std::int64_t found = sums.at(name);
    if (found != claim)
      return base::quoted(name) + " claims " + std::to_string(claim) + ", and has " + std::to_string(found);
  }
  if (!claimed.empty() && not_listed > 0) return not_listed_text(not_listed) + ": no claim can be checked";
  return "";
}

}  // namespace sweepd::replay
