// SPDX-License-Identifier: MIT
#include "replay/player_score.h"

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

std::string find_claim_fault(std::span<const match::Score> claimed, std::span<const match::Score> scores) {
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
  return "";
}

}  // namespace sweepd::replay
