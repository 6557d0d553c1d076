// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <random>
#include <string>

#include "integration/support/loopback_acceptor.h"

namespace sweepd::test {

/// A TCP proxy as a long way with losses: every chunk comes late, and some are held until they have been sent
/// again, with all that is behind them. On a thread of its own.
class SlowProxy {
 public:
  struct Plan {
    std::uint64_t seed = 1;
    std::chrono::milliseconds delay{0};  ///< Of each chunk, either way.
    double held_share = 0;               ///< So many chunks, 0 to 1,
    std::chrono::milliseconds hold{0};   ///< are held for so long.
  };

  /// To a port on loopback.
  SlowProxy(std::uint16_t upstream_port, const Plan& plan);

  std::string address() const { return acceptor_.address(); }

 private:
  class Way;
  class Connection;

  std::chrono::milliseconds next_delay();

  const Plan plan_;
  const std::uint16_t upstream_port_;
  std::mt19937_64 random_;
  LoopbackAcceptor acceptor_;
};

}  // namespace sweepd::test
