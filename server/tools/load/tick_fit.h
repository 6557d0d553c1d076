// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace sweepd::tools::load {

using TimePoint = std::chrono::steady_clock::time_point;
inline TimePoint now() { return std::chrono::steady_clock::now(); }
using Duration = std::chrono::nanoseconds;
inline constexpr Duration kSecond = std::chrono::seconds(1);

/// When the ticks of a match are due, as far as a client can know: ticks come at a fixed rate, so the update
/// that was the fastest of all to arrive tells where the schedule lies. A tick's due time is when its update
/// would have arrived had it been that fast; what that one took from the server's tick to the client is not
/// known and in every due time.
///
/// A server that has stalled moves its schedule on by whole intervals (ticks that were not run in time are
/// not run at all). The fit follows when every update of a second came at least an interval late; those ticks
/// are counted as lost. Less than an interval is never taken for anything but lateness.
class TickFit {
 public:
  explicit TickFit(std::uint32_t rate_hz) : rate_hz_(rate_hz) {}

  /// The update of `tick` has arrived: how late it is, 0 or more.
  Duration observe(std::uint64_t tick, TimePoint arrival);

  /// When the update of `tick` is due. Only after an update was observed.
  TimePoint due(std::uint64_t tick) const { return *origin_ + since_origin(tick); }
  bool is_known() const { return origin_.has_value(); }

  std::uint64_t ticks_lost() const { return ticks_lost_; }

 private:
  Duration since_origin(std::uint64_t tick) const;
  void follow(TimePoint arrival, Duration late);

  std::uint32_t rate_hz_;
  std::optional<TimePoint> origin_;  ///< When tick 0 would have been due.
  std::uint64_t ticks_lost_ = 0;
  TimePoint second_end_;    ///< Of the second in which updates are being compared,
  Duration least_late_{0};  ///< and the least late of it.
};

}  // namespace sweepd::tools::load
