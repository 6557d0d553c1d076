// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>

#include "tools/load/measurements.h"
#include "tools/load/tick_fit.h"

namespace sweepd::tools::load {

/// Tells how long it takes until a client hears of what it did: it sends a frame in which one of its objects
/// enters or leaves contact, and waits for the event.
class Probe {
 public:
  /// How many may wait for their events at a time. Two where both ENTERs and EXITs are told; where ENTERs
  /// alone are, one: two of a kind could not be told apart.
  explicit Probe(Measurements& measurements, std::size_t waiting_max = 2)
      : measurements_(measurements), waiting_max_(waiting_max) {}

  /// A frame was sent at `time` after which the object is in contact or not. Where too many wait already,
  /// those are lost: they count as if they had been answered now.
  void sent(bool in_contact, TimePoint time);

  /// An event of the object came in at `now`; its tick was `tick`.
  void received(bool in_contact, std::uint64_t tick, const TickFit& fit, TimePoint now);

  /// The measurement ends at `now`. A frame that waits for longer than to the next tick, an `interval` at
  /// most, counts with its wait until now, and waits no longer; or a server that stops answering would be
  /// known by its good answers only.
  void end_measurement(TimePoint now, Duration interval);

  bool is_waiting() const { return !waiting_.empty(); }
  void forget() { waiting_.clear(); }

 private:
  struct Sent {
    bool in_contact = false;
    TimePoint time;
  };
  void give_up(TimePoint now);

  Measurements& measurements_;
  std::size_t waiting_max_;
  std::deque<Sent> waiting_;  ///< At most waiting_max_.
};

}  // namespace sweepd::tools::load
