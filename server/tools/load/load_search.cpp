// SPDX-License-Identifier: MIT
#include "tools/load/load_search.h"

namespace sweepd::tools::load {
namespace {

// Ticks that did not run are not late: they have to be counted, too.
double rate_wanted(std::uint32_t rate_hz) { return 0.99 * rate_hz; }

}  // namespace

double cores_busy(const LoadResult& result) {
  const double core_seconds = result.duration_s * result.client_cores;
  return core_seconds > 0 ? result.client.cpu_s / core_seconds : 0;
}

bool load_is_bottleneck(const LoadResult& result) {
  return result.busiest_thread > kBusyMax || cores_busy(result) > kBusyMax;
}

std::string why_not_held(const SearchStep& step, Histogram::Duration bound, std::uint32_t rate_hz) {
  if (step.busiest_thread > kBusyMax || step.cores_busy > kBusyMax)
    return "the load generator is the bottleneck";
  if (step.streams_closed > 0) return "streams were closed by the server";
  if (step.lateness_p99 > bound) return "p99 of tick lateness";
  if (step.beyond_the_wait_p99 > bound) return "p99 of update to event beyond the wait";
  if (step.input_age_p99 > bound) return "p99 of the age of unread input";
  if (step.tick_rate_min_hz < rate_wanted(rate_hz)) return "tick rate of the slowest match";
  if (step.ticks_lost > 0) return "ticks were skipped";
  if (step.frames_not_sent > 0) return "frames could not be sent";
  if (step.probes_lost > 0) return "probes were not answered";
  return step.send_lateness_p99 > bound ? "the load generator was late" : "";
}

SearchStep step_of(const LoadResult& result, Histogram::Duration bound) {
  SearchStep step;
  step.matches = result.matches;
  step.lateness_p99 = result.measured.tick_lateness.quantile(0.99);
  step.beyond_the_wait_p99 = result.measured.beyond_the_wait.quantile(0.99);
  step.input_age_p99 = result.measured.input_age.quantile(0.99);
  step.tick_rate_min_hz = result.tick_rate_min_hz;
  step.busiest_thread = result.busiest_thread;
  step.cores_busy = cores_busy(result);
  step.send_lateness_p99 = result.measured.send_lateness.quantile(0.99);
  step.streams_closed = result.streams_closed;
  step.frames_not_sent = result.measured.frames_not_sent;
  step.probes_lost = result.measured.probes_lost;
  step.ticks_lost = result.ticks_lost;
  step.held = why_not_held(step, bound, result.rate_hz).empty();
  return step;
}

}  // namespace sweepd::tools::load
