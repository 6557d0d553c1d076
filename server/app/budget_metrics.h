// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "runtime/connections/acceptor.h"
#include "runtime/connections/port_watchdog.h"
#include "runtime/telemetry/metrics.h"
#include "session/backend.h"

namespace sweepd::app {

/// Adds what clients have taken of the server, and what has been refused to them. What is shown outlives
/// the metrics that are added.
void add_budget_metrics(runtime::Metrics& metrics, const session::Backend& backend,
                        const runtime::Acceptor& acceptor, const runtime::PortWatchdog& watchdog,
                        std::vector<runtime::ComputedMetric>& to);

}  // namespace sweepd::app
