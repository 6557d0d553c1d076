// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "match/match.h"
#include "runtime/feed/subscription.h"

namespace sweepd::runtime {

/// The lives of a match's log: one more each time that a server came back and went on with the match from its
/// journal. Each has an epoch, so that a place in one is not taken for a place in another.
class Lives {
 public:
  /// So many former lives are known at most: a client that comes back after more crashes is told that
  /// everything since the earliest one known is undone.
  static constexpr std::size_t kKeptMax = 64;

  struct Life {
    std::uint64_t epoch = 0;
    match::Tick first_tick = 0;  ///< The last tick that had run when it began; all later ones were undone.
    std::uint64_t first_sequence_number = 0;  ///< The same for events.
    match::Tick lost_ticks = 0;  ///< That had been durable before it began, and were lost to damage.
    friend bool operator==(const Life&, const Life&) = default;
  };

  void begin(Life life) {
    if (lives_.size() == kKeptMax) {
      lives_[1].lost_ticks += lives_[0].lost_ticks;
      lives_.erase(lives_.begin());
    }
    lives_.push_back(life);
  }

  const std::vector<Life>& all() const { return lives_; }
  std::uint64_t epoch() const { return lives_.empty() ? 0 : lives_.back().epoch; }

  /// Of all lives.
  match::Tick lost_ticks() const;

  struct Undone {
    match::Tick after_tick = 0;
    std::uint64_t after_sequence_number = 0;
    match::Tick lost_ticks = 0;  ///< Durable ones that damage has cost since.
    friend bool operator==(const Undone&, const Undone&) = default;
  };
  /// What of the things that a subscriber had seen did not happen; nothing: all of it did.
  std::optional<Undone> undone(const ResumePoint& seen) const;

 private:
  std::vector<Life> lives_;
};

}  // namespace sweepd::runtime
