// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "match/config.h"
#include "match/participant.h"

namespace sweepd::runtime {

/// What frames bring for one tick of a match: changes, and parts in them (match::count_rows). A participant
/// may have a quarter of a million of them wait, and several may have them for the same tick, which would
/// take tens of milliseconds. So the match has a maximum for each tick, of which each participant has its
/// share, and more while others leave some. All together stay below twice the maximum.
class TickRows {
 public:
  /// All objects may come at once, with all parts; kLeast in any case. Absent budgets: no maximum.
  explicit TickRows(const match::MatchConfig& config);

  static constexpr std::uint64_t kLeast = 4'096;

  struct Frame {
    match::ParticipantNumber participant = 0;
    match::Tick tick = 0;  ///< In which it applies (match::Match::find_place).
    std::size_t rows = 0;
  };
  /// Takes the rows of a frame that comes before `next` runs. What would then be for the tick, if that is too
  /// much: nothing is taken. `count_participants` is asked where that may be.
  std::optional<std::uint64_t> take(const Frame& frame, match::Tick next,
                                    const std::function<std::size_t()>& count_participants);

  std::uint64_t most() const { return most_; }

 private:
  struct OfTick {
    std::uint64_t all = 0;
    std::vector<std::pair<match::ParticipantNumber, std::uint64_t>> of_each = {};

    std::uint64_t& of(match::ParticipantNumber participant);
  };

  std::uint64_t most_;
  std::map<match::Tick, OfTick> ticks_;  ///< From the next one on.
};

}  // namespace sweepd::runtime
