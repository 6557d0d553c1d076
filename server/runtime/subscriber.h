// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "match/match.h"
#include "runtime/match_clock.h"

namespace sweepd::runtime {

class MatchHost;

/// What a tick brought one subscriber, or what it has to be told without one. Valid during the call only.
struct TickReport {
  match::Tick tick = 0;
  std::uint64_t digest = 0;
  std::span<const collision::Event> events;
  std::span<const match::Rejection> rejections;  ///< Of the subscriber's own frames.
  std::uint64_t rejections_not_listed = 0;       ///< Further ones.
  std::span<const match::Destruction> destructions = {};
  std::span<const match::ParticipantNumber> late_participants = {};  ///< Whose frame the tick did not wait for.
  std::optional<ClockState> clock = {};  ///< Has changed. The tick may then be that of the report before.
  std::span<const match::Score> scores = {};  ///< Those that changed.
};

/// Somebody who follows a match, on the match's loop. It may leave the match from within deliver, but change
/// nothing else of it.
class Subscriber {
 public:
  virtual void deliver(const TickReport& report) = 0;

  /// The last call. The subscriber has left already.
  virtual void match_ended(const MatchHost& host) = 0;

  /// Whether so much waits to be taken that a match which can wait should wait. Who is behind and then takes
  /// something calls MatchHost::resume_ticks.
  virtual bool is_behind() const = 0;

 protected:
  ~Subscriber() = default;
};

}  // namespace sweepd::runtime
