// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "match/match.h"

namespace sweepd::runtime {

/// The scores that have changed, as they are now, and when: what a subscriber has missed of them is known
/// however long ago he was told of the last.
class LatestScores {
 public:
  void take(const match::TickOutput& output) {
    for (const match::Score& score : output.scores) changed_[score.participant] = {score, output.tick};
  }

  /// Those that changed after `tick`, by participant.
  void find_changed_after(match::Tick tick, std::vector<match::Score>& out) const {
    out.clear();
    for (const auto& [number, changed] : changed_) {
      if (changed.tick > tick) out.push_back(changed.score);
    }
  }

 private:
  struct Changed {
    match::Score score;
    match::Tick tick = 0;
  };
  std::map<match::ParticipantNumber, Changed> changed_;  ///< As many as there are numbers, at most.
};

}  // namespace sweepd::runtime
