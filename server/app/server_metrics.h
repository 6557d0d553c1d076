// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "runtime/connections/acceptor.h"
#include "runtime/connections/port_watchdog.h"
#include "runtime/loop/loop_load.h"
#include "runtime/loop/loop_metrics.h"
#include "runtime/loop/loop_watchdog.h"
#include "runtime/telemetry/metrics.h"
#include "session/backend.h"

namespace sweepd::app {

/// What the server shows of itself: what clients have taken of it and what has been refused to them, and how
/// its loops are. What is shown outlives this.
class ServerMetrics {
 public:
  ServerMetrics(runtime::Metrics& metrics, const session::Backend& backend, const runtime::Acceptor& acceptor,
                const runtime::PortWatchdog& watchdog);

  /// Shows a loop's readings; from its thread.
  std::function<void(const runtime::LoadReading&)> on_load(std::size_t loop);

  /// All loops and what watches them are shown until they are hidden.
  void show_loops(const runtime::LoopWatchdog& watchdog);
  void hide_loops();

 private:
  void show_work(const session::Backend& backend);
  void show_budgets(const session::Backend& backend);
  void show_connections(const session::Backend& backend, const runtime::Acceptor& acceptor,
                        const runtime::PortWatchdog& watchdog);
  void add_gauge(const char* name, const char* help, auto value);
  void add_counter(const char* name, const char* help, auto value);

  runtime::Metrics& metrics_;
  const std::vector<session::MatchLoop*>& loops_;
  std::vector<runtime::ComputedMetric> shown_;
  runtime::GaugeFamily busy_ratios_;
  runtime::GaugeFamily latenesses_;
  std::optional<runtime::LoopMetrics> loop_metrics_;
  std::vector<runtime::ComputedMetric> watchdog_metrics_;
};

}  // namespace sweepd::app
