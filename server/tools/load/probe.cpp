// SPDX-License-Identifier: MIT
#include "tools/load/probe.h"

#include <algorithm>

namespace sweepd::tools::load {

void Probe::sent(bool in_contact, TimePoint time) {
  // After so long it cannot be told which event belongs to which frame: two frames of one tick cancel each
  // other out.
  if (waiting_.size() >= waiting_max_) give_up(time);
  waiting_.push_back({in_contact, time});
  ++measurements_.probes_sent;
}

void Probe::give_up(TimePoint now) {
  for (const Sent& sent : waiting_) {
    measurements_.update_to_event.record(now - sent.time);
    measurements_.beyond_the_wait.record(now - sent.time);
    measurements_.input_age.record(now - sent.time);
    ++measurements_.probes_lost;
  }
  waiting_.clear();
}

void Probe::end_measurement(TimePoint now, Duration interval) {
  while (!waiting_.empty() && now - waiting_.front().time > interval) {
    const Duration waited = now - waiting_.front().time;
    measurements_.update_to_event.record(waited);
    measurements_.beyond_the_wait.record(waited - interval);
    measurements_.input_age.record(waited - interval);
    waiting_.pop_front();
  }
}

void Probe::received(bool in_contact, std::uint64_t tick, const TickFit& fit, TimePoint now) {
  if (waiting_.empty() || waiting_.front().in_contact != in_contact) return;
  const TimePoint sent = waiting_.front().time;
  waiting_.pop_front();
  measurements_.update_to_event.record(now - sent);
  measurements_.beyond_the_wait.record(now - std::max(sent, fit.due(tick)));
  measurements_.input_age.record(fit.due(tick - 1) - sent);
}

}  // namespace sweepd::tools::load
