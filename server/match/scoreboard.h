// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "match/participant.h"

namespace sweepd::match {

/// A participant's score.
struct Score {
  ParticipantNumber participant = 0;
  std::string name = {};
  std::int64_t score = 0;
  bool has_left = false;  ///< The number may be another's by now.
};

/// The scores of all players and stages. Those of who left stay, so that the end result is whole: of
/// kFormerScoresMax of them at most, after which the one that left first is forgotten; who left without any
/// points is not kept.
class Scoreboard {
 public:
  static constexpr std::size_t kFormerScoresMax = 1024;

  void join(ParticipantNumber number, const std::string& name) {
    present_.push_back({number, name, 0, false});
  }
  void leave(ParticipantNumber number);
  /// Ignored for who is not there.
  void add(ParticipantNumber number, std::int64_t points);

  /// Of who is there, then of who left.
  std::vector<Score> scores() const;

  /// Those that changed since the last call of this, by number. Valid until the next call.
  std::span<const Score> take_changed();

 private:
  Score* find(ParticipantNumber number);

  std::vector<Score> present_;
  std::vector<Score> former_;
  std::vector<ParticipantNumber> changed_;
  std::vector<Score> told_;
};

}  // namespace sweepd::match
