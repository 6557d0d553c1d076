// SPDX-License-Identifier: MIT
#include "match/scoreboard.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::match {

Score* Scoreboard::find(ParticipantNumber number) {
  const auto found = std::ranges::find(present_, number, &Score::participant);
  return found == present_.end() ? nullptr : &*found;
}

void Scoreboard::leave(ParticipantNumber number) {
  const auto found = std::ranges::find(present_, number, &Score::participant);
  if (found == present_.end()) return;
  if (found->score != 0) {
    if (former_.size() == kFormerScoresMax) former_.erase(former_.begin());
    former_.push_back(*found);
    former_.back().has_left = true;
  }
  std::erase(changed_, number);
  present_.erase(found);
}

void Scoreboard::add(ParticipantNumber number, std::int64_t points) {
  Score* score = find(number);
  if (score == nullptr || points == 0) return;
  score->score += points;
  if (std::ranges::find(changed_, number) == changed_.end()) changed_.push_back(number);
}

std::vector<Score> Scoreboard::scores() const {
  std::vector<Score> scores = present_;
  std::ranges::sort(scores, {}, &Score::participant);
  scores.insert(scores.end(), former_.begin(), former_.end());
  return scores;
}

std::span<const Score> Scoreboard::take_changed() {
  told_.clear();
  std::ranges::sort(changed_);
  for (const ParticipantNumber number : changed_) told_.push_back(*find(number));
  changed_.clear();
  return told_;
}

}  // namespace sweepd::match
