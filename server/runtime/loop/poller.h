// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clock.h"

namespace sweepd::runtime {

/// For how long a round of a loop may handle what the network has brought, and as long again what was posted,
/// before ticks that are due: what one piece of it takes is bounded elsewhere.
inline constexpr std::chrono::milliseconds kRoundTimeMax{1};

/// What a loop waits on. The network plugs itself in here.
class Poller {
 public:
  virtual ~Poller() = default;

  /// Waits for an event, wake() or the deadline, whichever is first; a deadline in the past does not wait.
  /// Then dispatches what is ready, for kRoundTimeMax, so that ticks stay on time under a flood of input.
  /// Returns how long it waited.
  virtual Duration poll(TimePoint deadline) = 0;

  /// Ends the wait of the poll that is running, or of the next. From any thread.
  virtual void wake() = 0;
};

}  // namespace sweepd::runtime
