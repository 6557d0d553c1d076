// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "runtime/loop/loop.h"

namespace sweepd::runtime {

/// A timer on a loop, of an owner who may move to another one. On the loop's thread. What waits when the
/// timer is cancelled, moved or destroyed does not run there any more, not even if it had been due already
/// and only its turn had not come: so it may refer to the owner.
class LoopTimer {
 public:
  explicit LoopTimer(Loop& loop);
  LoopTimer(const LoopTimer&) = delete;
  LoopTimer& operator=(const LoopTimer&) = delete;

  /// `work` runs once, at the end of the time; what waited before does not.
  void start(Duration time, std::function<void()> work);
  void cancel();

  /// What waits goes on waiting, there. On the thread of the loop that it leaves, while the other's stands
  /// still.
  void move_to(Loop& loop);

 private:
  void wait_for(std::function<void()> work);

  std::optional<boost::asio::steady_timer> timer_;
  std::shared_ptr<std::function<void()>>
      work_;  ///< What waits; null: nothing. Others hold it by weak pointers.
};

}  // namespace sweepd::runtime
