// SPDX-License-Identifier: MIT
#include "tools/load/measurements.h"

#include <algorithm>

namespace sweepd::tools::load {

void Measurements::merge(const Measurements& other) {
  update_to_event.merge(other.update_to_event);
  beyond_the_wait.merge(other.beyond_the_wait);
  tick_lateness.merge(other.tick_lateness);
  input_age.merge(other.input_age);
  send_lateness.merge(other.send_lateness);
  frames_sent += other.frames_sent;
  bytes_up += other.bytes_up;
  frames_not_sent += other.frames_not_sent;
  updates += other.updates;
  bytes_down += other.bytes_down;
  events += other.events;
  rejections += other.rejections;
  probes_sent += other.probes_sent;
  probes_lost += other.probes_lost;
  reconnections += other.reconnections;
  world_bytes += other.world_bytes;
  world_tick_bytes_max = std::max(world_tick_bytes_max, other.world_tick_bytes_max);
}

}  // namespace sweepd::tools::load
