// SPDX-License-Identifier: MIT
#include "runtime/telemetry/log_metrics.h"

namespace sweepd::runtime {

LogMetrics::LogMetrics(Metrics& metrics, const Log& log)
    : dropped_(metrics.computed_counter(
          "sweepd_log_messages_dropped_total",
          "Lines of the log that were given up, as they could not be written in time.",
          [&log] { return static_cast<double>(log.lines_dropped()); })),
      left_out_(metrics.computed_counter("sweepd_log_messages_left_out_total",
                                         "Lines of the log beyond what clients may cause in a second.",
                                         [] { return static_cast<double>(Log::lines_left_out()); })),
      waiting_(metrics.computed_gauge("sweepd_log_messages_waiting",
                                      "Lines of the log that wait to be written.",
                                      [&log] { return static_cast<double>(log.lines_waiting()); })) {}

}  // namespace sweepd::runtime
