// SPDX-License-Identifier: MIT
#include "runtime/match/delay_meter.h"

#include <algorithm>

namespace sweepd::runtime {

void DelayMeter::sent(match::Tick tick, TimePoint now) {
  if (!sent_.empty() && tick <= sent_.back().tick) return;  // Nothing new to acknowledge.
  if (sent_.size() == kSentMax) {
    std::deque<Sent> kept;
    for (std::size_t i = 1; i < sent_.size(); i += 2) kept.push_back(sent_[i]);
    sent_ = std::move(kept);
  }
  sent_.push_back({tick, now});
}

/// Of several updates that a frame acknowledges at once the newest tells how long the way is.
void DelayMeter::acknowledged(match::Tick tick, TimePoint now) {
  if (sent_.empty() || tick > sent_.back().tick) return;
  const auto end = std::ranges::upper_bound(sent_, tick, {}, &Sent::tick);
  if (end == sent_.begin()) return;
  const TimePoint written = std::prev(end)->time;
  sent_.erase(sent_.begin(), end);
  measure(std::max(now - written, Duration::zero()));
}

void DelayMeter::measure(Duration round_trip) {
  last_ = round_trip;
  if (!has_measured_) {
    has_measured_ = true;
    mean_ = round_trip;
    deviation_ = round_trip / 2;
    return;
  }
  const Duration error = round_trip > mean_ ? round_trip - mean_ : mean_ - round_trip;
  deviation_ += (error - deviation_) / 4;
  mean_ += (round_trip - mean_) / 8;
}

namespace {

std::uint32_t in_ticks(Duration delay, std::uint32_t tick_rate_hz) {
  constexpr std::int64_t kTicksMax = 1u << 20;
  // In whole milliseconds: fine enough, and no product of two large numbers.
  const std::int64_t ms = std::chrono::ceil<std::chrono::milliseconds>(delay).count();
  return static_cast<std::uint32_t>(std::min((ms * tick_rate_hz + 999) / 1000, kTicksMax));
}

}  // namespace

std::uint32_t DelayMeter::delay_ticks(std::uint32_t tick_rate_hz) const {
  return in_ticks(delay(), tick_rate_hz);
}

std::uint32_t DelayMeter::last_delay_ticks(std::uint32_t tick_rate_hz) const {
  return in_ticks(last_, tick_rate_hz);
}

}  // namespace sweepd::runtime
