// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "runtime/loop/loop.h"

namespace sweepd::runtime {

/// While this lives, the thread of a loop stands still, between two pieces of its work: what is the loop's
/// may then be changed by the thread that made this, another loop's. The loop has to be running.
///
/// Two loops that did this to each other at once would deadlock: the caller sees to it that there is no
/// other.
class LoopPause {
 public:
  /// Returns when it stands still.
  explicit LoopPause(Loop& loop);
  /// Lets it go on.
  ~LoopPause();
  LoopPause(const LoopPause&) = delete;
  LoopPause& operator=(const LoopPause&) = delete;

 private:
  struct Meeting;
  std::shared_ptr<Meeting> meeting_;
};

}  // namespace sweepd::runtime
