// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "match/frame.h"
#include "runtime/clock.h"

namespace sweepd::runtime {

/// Measures how far a client lags, on its stream alone: from when the update of a tick is written until a
/// frame comes that acknowledges it. Smoothed as TCP smooths its round trips (RFC 6298): the mean moves by an
/// eighth of what is new, the deviation by a quarter, and the delay is the mean and four deviations, so that
/// jitter is counted in.
///
/// A client can only make it larger, by acknowledging late. What was never sent cannot be acknowledged: it
/// does not count.
class DelayMeter {
 public:
  /// Updates that have been written and not acknowledged, at most. Of more, every second one is forgotten:
  /// such a lag is measured by what is left.
  static constexpr std::size_t kSentMax = 512;

  void sent(match::Tick tick, TimePoint now);
  void acknowledged(match::Tick tick, TimePoint now);
  /// A stream has broken: what it sent may never be acknowledged.
  void forget_sent() { sent_.clear(); }

  /// 0 before the first measurement.
  Duration delay() const { return has_measured_ ? mean_ + 4 * deviation_ : Duration::zero(); }
  /// The same in ticks, rounded up.
  std::uint32_t delay_ticks(std::uint32_t tick_rate_hz) const;
  /// The last round trip alone, in ticks, rounded up; 0 before the first. Delays that come and go do not add
  /// up in it, as they do in a deviation.
  std::uint32_t last_delay_ticks(std::uint32_t tick_rate_hz) const;

 private:
  struct Sent {
    match::Tick tick;
    TimePoint time;
  };

  void measure(Duration round_trip);

  std::deque<Sent> sent_;  // By tick.
  bool has_measured_ = false;
  Duration last_ = Duration::zero();
  Duration mean_ = Duration::zero();
  Duration deviation_ = Duration::zero();
};

}  // namespace sweepd::runtime
