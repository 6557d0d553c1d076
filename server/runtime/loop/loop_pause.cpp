// SPDX-License-Identifier: MIT
#include "runtime/loop/loop_pause.h"

#include <condition_variable>
#include <mutex>

#include "base/assert.h"

namespace sweepd::runtime {

struct LoopPause::Meeting {
  std::mutex mutex;
  std::condition_variable condition;
  bool stands_still = false;
  bool may_go_on = false;

  void set(bool& flag) {
    const std::lock_guard lock(mutex);
    flag = true;
    condition.notify_all();
  }
  void wait_for(const bool& flag) {
    std::unique_lock lock(mutex);
    condition.wait(lock, [&flag] { return flag; });
  }
};

LoopPause::LoopPause(Loop& loop) : meeting_(std::make_shared<Meeting>()) {
  SWEEPD_ASSERT(!loop.is_current());
  loop.post([meeting = meeting_] {
    meeting->set(meeting->stands_still);
    meeting->wait_for(meeting->may_go_on);
  });
  meeting_->wait_for(meeting_->stands_still);
}

LoopPause::~LoopPause() { meeting_->set(meeting_->may_go_on); }

}  // namespace sweepd::runtime
