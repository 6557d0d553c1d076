// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "bench/server_bench_server.h"
#include "bench/server_bench_traffic.h"

namespace sweepd::bench {

struct LoopbackOptions {
  std::size_t matches = 1;
  /// The four clients of a match share a connection; else each has its own.
  bool is_connection_shared = false;
  double warm_up_seconds = 1;
  double seconds = 2;
};

struct LoopbackFigures {
  std::size_t frames = 0, updates = 0, update_bytes = 0;
  double seconds = 0;
  double cpu_us = 0;  ///< Of the server.
  std::uint64_t allocations = 0;
};

/// Matches of a scene on a real server over real connections, in real time.
LoopbackFigures play_over_loopback(ServerChild& server, const SceneTraffic& traffic,
                                   const LoopbackOptions& options);

}  // namespace sweepd::bench
