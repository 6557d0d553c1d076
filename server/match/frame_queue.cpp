// SPDX-License-Identifier: MIT
#include "match/frame_queue.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::match {

void FrameQueue::add(Tick applies_in, Frame frame) {
  SWEEPD_ASSERT(!is_full());
  const auto place = std::ranges::upper_bound(waiting_, applies_in, {}, &Waiting::applies_in);
  waiting_.insert(place, Waiting{applies_in, std::move(frame)});
}

Frame* FrameQueue::first_of(Tick tick) {
  SWEEPD_ASSERT(waiting_.empty() || waiting_.front().applies_in >= tick);
  return has(tick) ? &waiting_.front().frame : nullptr;
}

void FrameQueue::remove_first() {
  SWEEPD_ASSERT(!waiting_.empty());
  waiting_.pop_front();
}

}  // namespace sweepd::match
