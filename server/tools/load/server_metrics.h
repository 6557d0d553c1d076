// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sweepd/status.h"
#include "tools/sweepctl/server_choice.h"

namespace sweepd::tools::load {

/// What a server's page of metrics says at one time, by name and labels as they are there. Of a histogram,
/// its count and its sum; buckets are left out.
struct MetricsPage {
  std::map<std::string, double> counters;  ///< They only grow.
  std::map<std::string, double> gauges;
};

/// What became of a server's metrics while it was measured: how much counters have grown, and gauges as they
/// were at the end. Names that begin with "sweepd_", without those that did not change from 0.
struct MetricsChange {
  std::map<std::string, double> counters;
  std::map<std::string, double> gauges;
};

/// Reads Prometheus' text format, version 0.0.4. What is no sample of a counter, a gauge or a histogram is
/// skipped.
MetricsPage parse_metrics(std::string_view text);

MetricsChange change_of(const MetricsPage& before, const MetricsPage& after);

/// Gets the page of `address`: HOST:PORT, or http://HOST:PORT and a path, or the same with https://, which
/// trusts and shows the certificates of `server`; the path is /metrics if it is left out. Blocks, for 10 s at
/// most. An error names what is wrong with the address or the answer.
Result<MetricsPage> fetch_metrics(const std::string& address, const ServerChoice& server);

}  // namespace sweepd::tools::load
