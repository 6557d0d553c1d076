// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "runtime/match_registry.h"

namespace sweepd::rpc {

class LoopServer;

/// What the loops of a server share. Set up before they start; thread-safe from then on.
struct Backend {
  Backend(std::size_t loops, std::size_t matches_max, std::size_t streams_most)
      : registry(loops, matches_max), streams_max(streams_most) {}

  runtime::MatchRegistry registry;
  const std::size_t streams_max;  ///< Of Play and Watch, at once; a further one is refused.
  std::atomic<std::size_t> streams = 0;
  std::atomic<bool> is_shutting_down = false;  ///< New calls are refused.
  std::string advertised_host;
  std::vector<std::unique_ptr<LoopServer>> loops;
};

}  // namespace sweepd::rpc
