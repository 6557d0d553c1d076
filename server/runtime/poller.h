// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clock.h"

namespace sweepd::runtime {

/// Where a loop's outside events come from: `rpc/` plugs a completion queue in.
class Poller {
 public:
  virtual ~Poller() = default;

  /// Waits until `deadline`, an event or a `wake`, and dispatches a bounded number of events. The loop's thread only.
  virtual void poll(TimePoint deadline) = 0;

  /// Makes the poll in progress, or the next one, return soon. Any thread.
  virtual void wake() = 0;
};

}  // namespace sweepd::runtime
