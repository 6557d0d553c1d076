// SPDX-License-Identifier: MIT
#include "tick_clock.h"

#include <algorithm>

namespace sweepd::internal {

void TickClock::set_rate(double rate, TimePoint now) {
  rate = rate > 0 ? std::min(rate, kRateMax) : 0;  // What is no number is 0, too.
  if (rate == rate_) return;
  advance(now);
  rate_ = rate;
  if (rate > 0) running_rate_ = rate;
  if (!arrivals_.empty()) go_on(now);
}

/// From the last tick that came: what was before is of another rate, or of before a pause.
void TickClock::go_on(TimePoint now) {
  arrivals_.erase(arrivals_.begin(), arrivals_.end() - 1);
  arrivals_.back().at = now;
  now_ = std::max(now_, now);
}

/// Since the last tick came it could have run another, and an update says that it has not: a pause of
/// which the state of the clock did not tell.
bool TickClock::stood_still(TimePoint until) const {
  const std::chrono::duration<double> time = until - arrivals_.back().at;
  return time > kJump && time.count() * rate_ > 1;
}

void TickClock::note(Tick tick, TimePoint at) {
  if (!has_begun_ || (!arrivals_.empty() && tick < arrivals_.back().tick)) {
    has_begun_ = true;
    arrivals_.clear();
    now_ = at;
    tick_ = static_cast<double>(tick);
  }
  if (!arrivals_.empty() && arrivals_.back().tick == 0 && tick > 0) {  // From here on it runs.
    arrivals_.clear();
    now_ = at;
  }
  if (!arrivals_.empty() && arrivals_.back().tick == tick) {
    if (stood_still(at)) go_on(at);
    return;
  }
  arrivals_.push_back({tick, at});
  while (at - arrivals_.front().at > kWindow) arrivals_.pop_front();
}

/// By the arrival that was earliest for its tick.
double TickClock::target(TimePoint now) const {
  double most = 0;
  for (const Arrival& arrival : arrivals_)
    most = std::max(most, static_cast<double>(arrival.tick) +
                              std::chrono::duration<double>(now - arrival.at).count() * rate_);
  return most;
}

void TickClock::advance(TimePoint now) {
  if (arrivals_.empty() || now <= now_) return;
  const double step = std::chrono::duration<double>(now - now_).count() * rate_;
  now_ = now;
  const Arrival& last = arrivals_.back();
  if (last.tick == 0 || now - last.at > kWindow) return;
  const double off = target(now) - (tick_ + step);
  const double jump = running_rate_ * kJump.count();
  tick_ += off > jump ? step + off : step + std::clamp(off, -kSlew * step, kSlew * step);
}

}  // namespace sweepd::internal
