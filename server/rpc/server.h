// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/resource_quota.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "match/budget_maxima.h"
#include "runtime/budgets/client_limits.h"
#include "runtime/connections/acceptor.h"
#include "runtime/connections/port_watchdog.h"
#include "runtime/journal/recovery.h"
#include "runtime/loop/loop.h"
#include "runtime/loop/loop_metrics.h"
#include "runtime/loop/loop_watchdog.h"
#include "runtime/loop/periodic_thread.h"
#include "runtime/replays/replay_library.h"
#include "runtime/telemetry/health.h"
#include "runtime/telemetry/metrics.h"
#include "runtime/tls/certificate_store.h"
#include "session/listen_address.h"
#include "verification/verifier_limits.h"

namespace sweepd::session {
struct Backend;
struct MatchLoopOptions;
}  // namespace sweepd::session

namespace sweepd::rpc {

class LoopServer;

struct ServerOptions {
  session::ListenAddress listen{"127.0.0.1", 7777};  ///< Port 0: any free one.
  std::size_t loops = 1;
  /// With two loops or more each listens on a port of its own, too. Else matches have the server's own
  /// address for their endpoint, and one public port is enough.
  bool has_loop_ports = true;
  std::uint16_t loop_port_base = 0;  ///< Loop i has the endpoint of port base + i; 0: any free ones.
  /// Where clients reach the server, in the endpoints of matches. No host: under the one they know. Port 0:
  /// under the one it listens on, or, without loop ports and host, under the one they know.
  session::ListenAddress advertised{};
  std::size_t matches_max = 10'000;
  std::size_t streams_max = 10'000;
  std::chrono::seconds idle_match_timeout{300};
  runtime::LoopOptions loop = {};          ///< Of each loop.
  match::BudgetMaxima budget_maxima = {};  ///< Of each match.
  verification::VerifierLimits verifier = {};
  std::chrono::milliseconds move_matches_every{0};  ///< For tests: whatever the loads are. 0: not.
  runtime::ClientLimits clients = {};
  std::vector<runtime::AddressRange> fronts = {};  ///< Who may say for whom they connect: see Acceptor.
  runtime::PortWatchdogOptions port_watchdog = {};
};

/// What the process has for its server and others; outlives it. Null: there is none.
struct ServerEnvironment {
  runtime::Health* health = nullptr;
  runtime::Metrics* metrics = nullptr;
  runtime::Journal* journal = nullptr;
  runtime::ReplayLibrary* replays = nullptr;
  const runtime::CertificateStore* certificates = nullptr;  ///< Of TLS; without them connections are plain.
};

/// sweepd's gRPC server: as many loops as asked for, each with a thread, a gRPC server and a completion
/// queue. An acceptor listens for all of them and hands connections of the main address to the loops in turn;
/// each loop may also have an endpoint of its own, so that a client can go straight to the loop of its match.
class Server {
 public:
  explicit Server(ServerOptions options, const ServerEnvironment& environment = {});
  ~Server();

  /// Nothing once it serves; else why it cannot. `matches`: those that go on from the journal.
  std::optional<std::string> start(std::vector<runtime::RecoveredMatch> matches = {});

  /// Refuses new calls, ends every stream with UNAVAILABLE, and returns within seconds, whatever clients do.
  void stop();

  /// Where it listens, with the port that was chosen.
  const session::ListenAddress& address() const { return options_.listen; }

 private:
  void set_up_gauges();
  void tell_sandbox();
  /// Nothing, or why it cannot.
  std::optional<std::string> listen();
  std::optional<std::string> listen_for_loop(std::size_t index);
  void watch_doors();
  std::size_t end_captors();
  void show_loops();
  void watch_loops();
  void show_load(std::size_t index, session::MatchLoopOptions& options);
  bool start_loop(std::size_t index);
  void bring_back(std::vector<runtime::RecoveredMatch> matches);
  bool has_loop_ports() const { return options_.has_loop_ports && options_.loops > 1; }

  ServerOptions options_;
  std::unique_ptr<session::Backend> backend_;
  grpc::ResourceQuota quota_;               ///< Of gRPC's own buffers, of all loops.
  runtime::PeriodicThread guard_{"guard"};  ///< Of the memory and the connections.
  std::vector<std::uint16_t> loop_ports_;
  std::vector<std::unique_ptr<LoopServer>> servers_;  ///< By loop.
  std::unique_ptr<runtime::Acceptor> acceptor_;
  std::unique_ptr<runtime::PortWatchdog> port_watchdog_;
  const runtime::CertificateStore* const certificates_;  ///< Null: connections are in plain text.
  runtime::Metrics* const metrics_;                      ///< Null: nobody asks.
  std::vector<runtime::ComputedMetric> gauges_;          ///< Of the backend: they go first.
  std::optional<runtime::LoopMetrics> loop_metrics_;     ///< While there are loops, as the next three.
  std::optional<runtime::LoopWatchdog> watchdog_;
  std::optional<runtime::WatchdogThread> watchdog_thread_;
  std::vector<runtime::ComputedMetric> watchdog_metrics_;
  std::optional<runtime::GaugeFamily> busy_ratios_;  ///< Of the loops, where there are metrics.
  std::optional<runtime::GaugeFamily> latenesses_;
  bool is_serving_ = false;
};

}  // namespace sweepd::rpc
