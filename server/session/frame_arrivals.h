// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "match/participant.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::session {

/// How the frames of a stream have come in that named a tick, until that is told.
class FrameArrivals {
 public:
  static constexpr std::size_t kRowsMax = 256;  ///< The oldest go.

  /// `next_tick`: that would have run next when it came.
  void note(match::ParticipantNumber number, const match::Frame& frame, match::Tick next_tick) {
    if (frame.tick == 0) return;
    if (rows_.size() == kRowsMax) rows_.erase(rows_.begin());
    rows_.push_back({number, frame.tick, std::min(frame.acknowledged_tick, next_tick), next_tick});
  }

  void tell(v1::TickUpdate& update, bool names_participants) {
    match::Tick last = 0;
    for (const Row& row : rows_) {
      v1::FrameArrivals& columns = *update.mutable_frame_arrivals();
      columns.add_tick_delta(static_cast<std::int64_t>(row.frame_tick - std::exchange(last, row.frame_tick)));
      columns.add_margin(static_cast<std::int64_t>(row.frame_tick - row.next_tick));
      columns.add_lag(row.next_tick - row.acknowledged_tick);
      if (names_participants) columns.add_participant(row.number);
    }
    rows_.clear();
  }

 private:
  struct Row {
    match::ParticipantNumber number = 0;
    match::Tick frame_tick = 0;
    match::Tick acknowledged_tick = 0;
    match::Tick next_tick = 0;
  };
  std::vector<Row> rows_;
};

}  // namespace sweepd::session
