// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <thread>

#include "sweepd/client.h"

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
  ~SlowProxy();
  SlowProxy(const SlowProxy&) = delete;
  SlowProxy& operator=(const SlowProxy&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }
  /// For a client that stays behind the proxy.
  ClientOptions options() const {
    ClientOptions options;
    options.server = address();
    options.follow_endpoint = false;
    return options;
  }

 private:
  class Way;
  class Connection;

  void accept();
  std::chrono::milliseconds next_delay();

  const Plan plan_;
  const std::uint16_t upstream_port_;
  std::mt19937_64 random_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::thread thread_;
};

}  // namespace sweepd::test
