// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "match/match.h"
#include "runtime/feed/sight_log.h"

namespace sweepd::runtime {

/// The verdicts on the claims of a match, for the subscribers that are to be told. They are numbered from 1.
/// The last kKeptMax are kept: a stream that is behind by more misses the older ones, which are in the counts
/// of their participants still.
class ClaimLog {
 public:
  static constexpr std::size_t kKeptMax = 16'384;
  /// Of one claimant and tick. More say nothing new, and every subscriber that is warned would have to take
  /// them.
  static constexpr std::size_t kWarningsMax = 64;

  /// `sight`: of a match with rules of visibility; it has taken the tick.
  void take(const match::TickOutput& output, const SightLog* sight = nullptr);

  /// How many there were.
  std::uint64_t count() const { return count_; }
  /// How many there were when `tick` was over, as far as they are kept.
  std::uint64_t count_up_to(match::Tick tick) const;

  struct Claimant {
    match::ParticipantNumber number = 0;
    std::uint64_t told = 0;  ///< So many of the log it need not be told any more.
  };
  /// Appends the ones on the claims of these, which are sorted by number, as they came. However many they
  /// are, the log is gone through once. `is_limited`: verdicts say nothing of targets that claimants do not
  /// see.
  void append_verdicts(std::span<const Claimant> claimants, std::vector<match::ClaimVerdict>& verdicts,
                       bool is_limited = false) const;
  /// The ones that are not confirmed, of all but `except`, which are sorted; of one claimant and tick,
  /// kWarningsMax.
  void append_warnings(std::uint64_t told, std::span<const match::ParticipantNumber> except,
                       std::vector<match::ClaimVerdict>& verdicts) const;

 private:
  struct Entry {
    match::Tick tick;
    match::ClaimVerdict verdict;
    bool hides_target = false;
  };
  std::size_t first_after(std::uint64_t told) const;

  std::deque<Entry> kept_;
  std::uint64_t count_ = 0;
};

}  // namespace sweepd::runtime
