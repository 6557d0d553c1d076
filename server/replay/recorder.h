// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "match/match.h"
#include "replay/tick_encoder.h"

namespace sweepd::replay {

/// Owns a match and keeps, as bytes, what determines it: all input goes through here. The match is
/// new, or played up to its last record. Not thread-safe, as the match.
class Recorder final : private match::InputLog {
 public:
  /// Of one tick. All other inputs need a seat and are bounded for each by the match: a frame waits or is
  /// refused; a participant that goes and comes back within a tick has never been away.
  static constexpr std::size_t kJoinsPerTickMax = 4096;

  /// What to keep.
  enum class Keeps : std::uint8_t { kTicks, kNothing };
  explicit Recorder(std::unique_ptr<match::Match> match, Keeps keeps = Keeps::kTicks);

  const match::Match& match() const { return *match_; }

  void set_observer(collision::TickObserver* observer) { match_->set_observer(observer); }

  /// As of Match. Once kJoinsPerTickMax have joined since a tick that is kept, MATCH_FULL until the next.
  template <typename Any>
  typename Any::Answer apply(Any input) {
    if constexpr (std::is_same_v<Any, Join>) {
      if (joins_ == kJoinsPerTickMax && !match_->ended()) return match::JoinError::kMatchFull;
    }
    return match_->apply(std::move(input));
  }
  const match::TickOutput& step() { return close(match_->step(), false); }
  const match::TickOutput& end() { return close(match_->end(), true); }
  const match::TickOutput& report_refusals() { return match_->report_refusals(); }

  /// Joins and departures since the last tick, in order.
  const std::vector<SeatChange>& arrivals() const { return arrivals_; }

  /// A tick as it is written down.
  struct ClosedTick {
    std::string bytes;                 ///< As a TickEncoder makes them.
    std::vector<SeatChange> arrivals;  ///< Those in them.
  };
  /// The tick that ran last. Once after each, if ticks are kept.
  ClosedTick take_tick();

 private:
  void took(const SeatChange& change) override;
  void took(const Submission& submission) override;
  const match::TickOutput& close(const match::TickOutput& output, bool ends_match);

  const std::unique_ptr<match::Match> match_;
  const std::unique_ptr<TickEncoder> encoder_;  ///< Null: nothing is kept.
  std::vector<SeatChange> arrivals_;            ///< Since the last tick.
  std::size_t joins_ = 0;                       ///< Among them.
  std::optional<ClosedTick> closed_;
};

}  // namespace sweepd::replay
