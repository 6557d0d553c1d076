// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/frame.h"

namespace sweepd::match {

/// Per participant. A frame that comes when so many wait is refused (TOO_MANY_FRAMES); those that wait stay.
inline constexpr std::size_t kFramesWaitingMax = 1024;

/// Per participant: changes and parts in all frames that wait. What would pass it is refused in the same way;
/// a frame alone may: how large one frame may be is checked where it is taken in.
inline constexpr std::size_t kRowsWaitingMax = std::size_t{1} << 18;

/// Per participant: claims in all frames that wait. What would pass it is refused, claim by claim.
inline constexpr std::size_t kClaimsWaitingMax = 1024;

/// Where late frames are spread: so many ticks' frames apply in one. Two, so that a client that was held up
/// for so long is in time again after as long.
inline constexpr std::size_t kSpreadTicksMax = 2;

/// How many changes, and parts in them, a frame has: a measure of its memory.
std::size_t count_rows(const Frame& frame);

/// One participant's frames that wait for their ticks: sorted by tick, those of one tick by arrival; bounded
/// in number and in memory.
class FrameQueue {
 public:
  bool has_room_for(const Frame& frame) const;

  /// There has to be room for it. `is_late`: it is not where it was meant to be, but in a later tick.
  void add(Tick applies_in, Frame frame, bool is_late = false);

  /// Where late frames are spread: the tick in which one for `tick` applies (0: the next), `first` at the
  /// earliest, behind those late ones that wait.
  Tick place_behind_late(Tick tick, Tick first) const;

  /// The first frame that applies in `tick`, or null. No frame of an earlier tick may wait any more.
  Frame* first_of(Tick tick);
  std::size_t size() const { return waiting_.size(); }
  bool has_any() const { return !waiting_.empty(); }
  bool has(Tick tick) const { return !waiting_.empty() && waiting_.front().applies_in == tick; }
  /// Whether one of them was meant for that tick: it applies in it, or behind late ones that wait.
  bool has_on_time(Tick tick) const;
  void remove_first();
  std::size_t claims() const { return claims_; }  ///< In all that wait.

  /// They were noted when the frames came in, and do nothing more.
  void forget_acknowledged_ticks() {
    for (Waiting& waiting : waiting_) waiting.frame.acknowledged_tick = 0;
  }

  /// `with_messages`: MatchConfig::app_messages_recorded.
  void save(base::ByteWriter& writer, bool with_messages) const;
  /// Of an empty one, after `tick`.
  void restore(base::ByteReader& reader, Tick tick);

 private:
  struct Waiting {
    Tick applies_in;
    bool is_late;
    Frame frame;
    std::size_t rows;  ///< As it came: what templates give is filled in when it applies.
  };
  Tick last_late() const;  ///< There has to be one.
  bool takes_one_more(Tick applies_in, Tick tick) const;

  std::deque<Waiting> waiting_;
  std::size_t rows_ = 0;  ///< Of all that wait.
  std::size_t claims_ = 0;
  std::size_t late_ = 0;  ///< How many of them are late.
};

}  // namespace sweepd::match
