// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>

#include "match/frame.h"

namespace sweepd::match {

/// Per participant. A frame that comes when so many wait is refused (TOO_MANY_FRAMES); those that wait stay.
inline constexpr std::size_t kFramesWaitingMax = 1024;

/// One participant's frames that wait for their ticks: sorted by tick, those of one tick by arrival; never
/// more than kFramesWaitingMax.
class FrameQueue {
 public:
  bool is_full() const { return waiting_.size() >= kFramesWaitingMax; }

  /// Not when full.
  void add(Tick applies_in, Frame frame);

  /// The first frame that applies in `tick`, or null. No frame of an earlier tick may wait any more.
  Frame* first_of(Tick tick);
  bool has(Tick tick) const { return !waiting_.empty() && waiting_.front().applies_in == tick; }
  void remove_first();

 private:
  struct Waiting {
    Tick applies_in;
    Frame frame;
  };
  std::deque<Waiting> waiting_;
};

}  // namespace sweepd::match
