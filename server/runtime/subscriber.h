// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "match/match.h"

namespace sweepd::runtime {

/// What a tick brought one subscriber. Valid during the call only.
struct TickReport {
  match::Tick tick = 0;
  std::uint64_t digest = 0;
  std::span<const collision::Event> events;
  std::span<const match::Rejection> rejections;  ///< Its own.
  std::uint64_t rejections_not_listed = 0;
};

/// Somebody who follows a match. Called on the match's loop; may unsubscribe during a call.
class Subscriber {
 public:
  virtual ~Subscriber() = default;
  /// A tick that brought something, or a heartbeat.
  virtual void on_tick(const TickReport& report) = 0;
  /// The match is over; the report of its last tick came before. No call follows.
  virtual void on_ended() = 0;
};

}  // namespace sweepd::runtime
