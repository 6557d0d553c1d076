// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <string>

#include "integration/support/loopback_acceptor.h"

namespace sweepd::test {

/// A TCP proxy that cuts each connection after a random number of bytes, both ways together, as a bad network
/// does: in handshakes, between messages, in the middle of them. On a thread of its own.
class FaultProxy {
 public:
  struct Plan {
    std::uint64_t seed = 1;
    std::size_t bytes_min = 1;
    std::size_t bytes_max = 1;
  };

  /// To a port on loopback. It begins healthy.
  FaultProxy(std::uint16_t upstream_port, const Plan& plan);

  std::string address() const { return acceptor_.address(); }
  /// From the next byte on, connections that are open included.
  void set_cutting(bool cutting) { is_cutting_ = cutting; }
  std::size_t cuts() const { return cuts_; }
  /// As if a cable were pulled: bytes go nowhere, both ways, and no end is told of it, nor of the other's
  /// end. A connection that has lost bytes, or is made meanwhile, stays dead.
  void set_swallowing(bool swallowing) { is_swallowing_ = swallowing; }

 private:
  class Connection;

  const Plan plan_;
  const std::uint16_t upstream_port_;
  std::atomic<bool> is_cutting_ = false;
  std::atomic<bool> is_swallowing_ = false;
  std::atomic<std::size_t> cuts_ = 0;
  std::mt19937_64 random_;
  LoopbackAcceptor acceptor_;
};

}  // namespace sweepd::test
