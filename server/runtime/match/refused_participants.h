// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "match/participant.h"
#include "runtime/match/match_id.h"

namespace sweepd::runtime {

/// The participants to whom most was refused, for metrics: few, as each is a time series of its own. Where a
/// further one has no room, one of a match that has ended makes it, else the one with the least, if that is
/// less. Thread-safe.
class RefusedParticipants {
 public:
  static constexpr std::size_t kRowsMax = 16;

  struct Row {
    MatchId match;
    match::ParticipantNumber number = 0;
    std::uint64_t rejections = 0;
    bool has_ended = false;  ///< Its match.
  };

  /// `rejections`: of the participant in all.
  void note(const MatchId& match, match::ParticipantNumber number, std::uint64_t rejections);
  void note_end(const MatchId& match);
  std::vector<Row> rows() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Row> rows_;
};

}  // namespace sweepd::runtime
