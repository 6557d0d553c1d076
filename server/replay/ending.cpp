// SPDX-License-Identifier: MIT
#include "replay/ending.h"

#include <algorithm>

#include "replay/file_format.h"

namespace sweepd::replay {

void Cast::note(const TickRecord& record) {
  for (const Input& input : record.inputs) {
    const Join* join = std::get_if<Join>(&input);
    if (join == nullptr || join->role == match::Role::kObserver) continue;
    if (std::ranges::find(participants, *join) != participants.end()) continue;
    if (participants.size() < kParticipantsListedMax) {
      participants.push_back(*join);
    } else {
      ++omitted;
    }
  }
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
