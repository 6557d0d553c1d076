// SPDX-License-Identifier: MIT
#include "match/scoreboard.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sweepd::match {
namespace {

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? Limits::max() : Limits::min();
}

}  // namespace

Score* Scoreboard::find(ParticipantNumber number) {
  const auto found = std::ranges::find(present_, number, &Score::participant);
  return found == present_.end() ? nullptr : &*found;
}

void Scoreboard::join(ParticipantNumber number, const std::string& name) {
  present_.push_back({number, name, 0, false});
  note(present_.back());
}

void Scoreboard::leave(ParticipantNumber number) {
  const auto found = std::ranges::find(present_, number, &Score::participant);
  if (found == present_.end()) return;
  Score score = *found;
  score.has_left = true;
  present_.erase(found);
  note(score);
  if (score.score == 0) return;
  if (former_.size() == kFormerScoresMax) former_.erase(former_.begin());
  former_.push_back(std::move(score));
}

void Scoreboard::add(ParticipantNumber number, std::int64_t points) {
  Score* score = find(number);
  if (score == nullptr || points == 0) return;
  score->score = saturating_sum(score->score, points);
  note(*score);
}

void Scoreboard::note(const Score& score) {
  const auto known = std::ranges::find_if(changed_, [&](const Score& changed) {
    return changed.participant == score.participant && changed.name == score.name && !changed.has_left;
  });
  if (known != changed_.end()) {
    *known = score;
  } else {
    changed_.push_back(score);
  }
}

std::vector<Score> Scoreboard::present() const {
  std::vector<Score> scores = present_;
  std::ranges::sort(scores, {}, &Score::participant);
  return scores;
}

std::span<const Score> Scoreboard::take_changed() {
  told_ = std::exchange(changed_, {});
  std::ranges::stable_sort(told_, {}, &Score::participant);
  return told_;
}

}  // namespace sweepd::match
