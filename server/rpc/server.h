// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rpc/listen_address.h"
#include "rpc/verifier_limits.h"
#include "runtime/health.h"
#include "runtime/journal/recovery.h"
#include "runtime/loop.h"
#include "runtime/loop_metrics.h"
#include "runtime/metrics.h"
#include "runtime/replays/replay_library.h"

namespace sweepd::rpc {

struct Backend;
struct LoopServerOptions;

struct ServerOptions {
  ListenAddress listen{"127.0.0.1", 7777};  ///< Port 0: any free one.
  std::size_t loops = 1;
  std::uint16_t loop_port_base = 0;  ///< Loop i has the endpoint of port base + i; 0: any free ones.
  std::string advertised_host =
      {};  ///< In the endpoints of matches; empty: clients go on using the host they know.
  std::size_t matches_max = 10'000;
  std::size_t streams_max = 10'000;
  std::chrono::seconds idle_match_timeout{300};
  runtime::LoopOptions loop = {};  ///< Of each loop.
  VerifierLimits verifier = {};
  std::chrono::milliseconds move_matches_every{0};  ///< For tests: whatever the loads are. 0: not.
};

/// What the process has for its server and others; outlives it. Null: there is none.
struct ServerEnvironment {
  runtime::Health* health = nullptr;
  runtime::Metrics* metrics = nullptr;
  runtime::Journal* journal = nullptr;
  runtime::ReplayLibrary* replays = nullptr;
};

/// sweepd's gRPC server: as many loops as asked for, each with a thread, a gRPC server and a completion
/// queue. All listen on the main address, and the kernel spreads connections over them; each also has an
/// endpoint of its own, so that a client can go straight to the loop of its match.
class Server {
 public:
  explicit Server(ServerOptions options, const ServerEnvironment& environment = {});
  ~Server();

  /// Nothing once it serves; else why it cannot. `matches`: those that go on from the journal.
  std::optional<std::string> start(std::vector<runtime::RecoveredMatch> matches = {});

  /// Refuses new calls, ends every stream with UNAVAILABLE, and returns within seconds, whatever clients do.
  void stop();

  /// Where it listens, with the port that was chosen.
  const ListenAddress& address() const { return options_.listen; }

 private:
  void set_up_gauges();
  void show_loops();
  void show_load(std::size_t index, LoopServerOptions& options);
  std::optional<std::string> start_loop(std::size_t index);
  void bring_back(std::vector<runtime::RecoveredMatch> matches);
  std::uint16_t endpoint_port(std::size_t index) const;

  ServerOptions options_;
  std::unique_ptr<Backend> backend_;
  runtime::Metrics* const metrics_;                   ///< Null: nobody asks.
  std::vector<runtime::ComputedMetric> gauges_;       ///< Of the backend: they go first.
  std::optional<runtime::LoopMetrics> loop_metrics_;  ///< While there are loops.
  std::optional<runtime::GaugeFamily> busy_ratios_;   ///< Of the loops, where there are metrics.
  std::optional<runtime::GaugeFamily> latenesses_;
  bool is_serving_ = false;
};

}  // namespace sweepd::rpc
