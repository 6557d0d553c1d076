// SPDX-License-Identifier: MIT
#include "bench/world_time.h"

#include <malloc.h>

#include <chrono>

namespace sweepd::bench {

double timed_tick_us(scenes::WorldPlay& play) {
  using Clock = std::chrono::steady_clock;
  play.lay_out_tick();
  const Clock::time_point begin = Clock::now();
  play.run_tick();
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

std::size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace sweepd::bench
