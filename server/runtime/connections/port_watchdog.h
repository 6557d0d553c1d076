// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/connections/acceptor.h"
#include "runtime/connections/connection_table.h"
#include "runtime/telemetry/health.h"

namespace sweepd::runtime {

struct PortWatchdogOptions {
  std::chrono::milliseconds period{5000};
  std::chrono::milliseconds patience{5000};  ///< For a connection and the first bytes that come on it.
  std::size_t failures_max = 2;              ///< In a row, of one port; then it fails, and is opened anew.
};

/// Connects to each of the server's own ports as a client would, from a thread of its own, and waits for the
/// first frame of HTTP/2 that a server says. A port that does not answer is told in the log and in the health
/// of `connections`, and opened anew.
class PortWatchdog {
 public:
  using Options = PortWatchdogOptions;
  /// What is asked and told outlives the watchdog. `health`: may be null.
  PortWatchdog(Acceptor& acceptor, ConnectionTable& table, Health* health, Options options = {});
  ~PortWatchdog();
  PortWatchdog(const PortWatchdog&) = delete;
  PortWatchdog& operator=(const PortWatchdog&) = delete;

  void start();
  void stop();

  std::uint64_t failures() const { return failures_total_.load(std::memory_order_relaxed); }

 private:
  struct Port {
    Acceptor::Endpoint endpoint;
    std::size_t failures = 0;  ///< In a row.
  };
  void run();
  void look_at(Port& port);
  void tell();
  /// Nothing: it answers. Else why not.
  std::optional<std::string> probe(const Acceptor::Endpoint& endpoint);
  std::optional<std::string> converse(int descriptor, const Acceptor::Endpoint& to);
  bool await(int descriptor, short events, std::chrono::milliseconds time) const;

  Acceptor& acceptor_;
  ConnectionTable& table_;
  Health* const health_;
  const Options options_;
  std::vector<Port> ports_;
  std::string trouble_;  ///< Of the ports that fail; empty: none does.
  std::uint64_t seen_without_descriptor_ = 0;
  int stop_event_ = -1;  ///< Readable once it is to stop.
  std::atomic<std::uint64_t> failures_total_ = 0;
  std::thread thread_;
};

}  // namespace sweepd::runtime
