// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clock.h"

namespace sweepd::runtime {

/// What a loop waits on. The network plugs itself in here.
class Poller {
 public:
  virtual ~Poller() = default;

  /// Waits for an event, wake() or the deadline, whichever is first; a deadline in the past does not wait.
  /// Then dispatches what is ready, but a bounded number, so that ticks stay on time under a flood of input.
  /// Returns how long it waited.
  virtual Duration poll(TimePoint deadline) = 0;

  /// Ends the wait of the poll that is running, or of the next. From any thread.
  virtual void wake() = 0;
};

}  // namespace sweepd::runtime
