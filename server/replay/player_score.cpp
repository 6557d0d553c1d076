// SPDX-License-Identifier: MIT
#include "replay/player_score.h"

#include <map>
#include <utility>

#include "base/saturating_sum.h"
#include "base/visible_text.h"

namespace sweepd::replay {
namespace {

using Sums = std::map<std::pair<match::ParticipantNumber, std::string>, std::int64_t>;

Sums sums_of(std::span<const match::Score> scores) {
  Sums sums;
  for (const match::Score& score : scores) {
    std::int64_t& sum = sums[{score.participant, score.name}];
    sum = base::saturating_sum(sum, score.score);
  }
  return sums;
}

}  // namespace

std::optional<std::int64_t> score_of(const PlayerOfRows& player, std::span<const match::Score> scores) {
  std::optional<std::int64_t> sum;
  const std::string* name = nullptr;
  for (const match::Score& score : scores) {
    if (!player.is(score.participant, score.name)) continue;
    if (name != nullptr && *name != score.name) return std::nullopt;
    name = &score.name;
    sum = base::saturating_sum(sum.value_or(0), score.score);
  }
  return sum;
}

std::string find_claim_fault(std::span<const match::Score> claimed, std::span<const match::Score> scores) {
  const Sums sums = sums_of(scores);
  for (const auto& [player, claim] : sums_of(claimed)) {
    const auto found = sums.find(player);
    if (found != sums.end() && found->second == claim) continue;
    return base::quoted(player.second) + " claims " + std::to_string(claim) + ", and has " +
           (found == sums.end() ? "no score" : std::to_string(found->second));
  }
  return "";
}

}  // namespace sweepd::replay
