// SPDX-License-Identifier: MIT
#include "replay/ending.h"

#include <algorithm>

#include "replay/file_format.h"

namespace sweepd::replay {

void Cast::note(const Join& join) {
  if (join.role == match::Role::kObserver) return;
  if (std::ranges::find(participants, join) != participants.end()) return;
  if (participants.size() < kParticipantsListedMax) {
    participants.push_back(join);
  } else {
    ++omitted;
  }
}

bool Cast::note(const SeatHolder& holder) {
  if (std::ranges::find(holders, holder) != holders.end()) return false;
  if (holders.size() == kSeatHoldersListedMax) {
    ++holders_omitted;
    return false;
  }
  holders.push_back(holder);
  return true;
}

std::vector<match::Score> scores_of(const match::Match& match) {
  std::vector<match::Score> scores = match.scoreboard().present();
  const auto& former = match.scoreboard().former();
  scores.insert(scores.end(), former.begin(), former.end());
  return scores;
}

bool is_equal(const match::Score& a, const match::Score& b) {
  return a.participant == b.participant && a.name == b.name && a.score == b.score && a.has_left == b.has_left;
}

}  // namespace sweepd::replay
