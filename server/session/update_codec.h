// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/feed/subscriber.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::session {

/// Gathers what has to be told a subscriber into one update: as many ticks as run until it can be sent.
class UpdateBuilder {
 public:
  /// Rejections that one update lists; further ones are counted only.
  static constexpr int kRejectionsListedMax = 256;

  void add(const runtime::TickReport& report, v1::TickUpdate& update);

  /// Everything is in: what the rest of the update says as well goes.
  void finish(v1::TickUpdate& update) const;

  bool empty() const { return bytes_ == 0; }

  /// About as many as the update will take on the wire.
  std::size_t bytes() const { return bytes_; }

  /// The next update starts in the same message, which keeps its memory.
  void clear(v1::TickUpdate& update);

 private:
  void add_score(const match::Score& score, v1::TickUpdate& update);
  void add_events(std::span<const collision::Event> events, v1::EventColumns& columns);
  void add_event(const collision::Event& event, v1::EventColumns& columns);
  void add_marks(const runtime::TickReport& report, v1::TickUpdate& update);
  void add_state(const runtime::TickReport& report, v1::TickUpdate& update);

  v1::EventColumns& columns_of(v1::TickUpdate& update);

  std::unique_ptr<v1::EventColumns> spare_events_;  ///< Empty columns with the memory of former ones.
  std::size_t bytes_ = 0;
  match::Tick last_event_tick_ = 0;
  std::uint64_t last_sequence_number_ = 0;
};

}  // namespace sweepd::session
