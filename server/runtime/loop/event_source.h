// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clock.h"

namespace sweepd::runtime {

/// Events of a loop that it does not wait for: a loop blocks in its Poller only, and looks at the others
/// between two waits.
class EventSource {
 public:
  virtual ~EventSource() = default;

  /// In every round, after the ticks. Handles what has come, for kRoundTimeMax at most.
  virtual void look(TimePoint now) = 0;

  /// When the loop has to be back from its wait to look again. A time in the past: at once.
  virtual TimePoint next_look() const = 0;
};

}  // namespace sweepd::runtime
