// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/guard.h"
#include "app/server_metrics.h"
#include "app/ticket_keys.h"
#include "match/budget_maxima.h"
#include "runtime/budgets/client_limits.h"
#include "runtime/connections/acceptor.h"
#include "runtime/connections/local_listener.h"
#include "runtime/connections/port_watchdog.h"
#include "runtime/journal/recovery.h"
#include "runtime/loop/loop.h"
#include "runtime/loop/loop_watchdog.h"
#include "runtime/replays/replay_library.h"
#include "runtime/telemetry/health.h"
#include "runtime/telemetry/metrics.h"
#include "runtime/tls/certificate_store.h"
#include "session/door.h"
#include "session/listen_address.h"
#include "session/match_loop.h"
#include "verification/verifier_limits.h"

namespace sweepd::app {

/// Where operators come in; by default nowhere.
struct AdminOptions {
  std::filesystem::path socket = {};                   ///< Empty: none.
  bool is_by_default = false;                          ///< Where it cannot be, the server goes on without.
  std::optional<session::ListenAddress> address = {};  ///< In place of a socket.
};

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
  runtime::LoopOptions loop = {};           ///< Of each loop.
  match::BudgetMaxima budget_maxima = {};   ///< Of each match.
  std::filesystem::path rules_folder = {};  ///< Of approved rules; empty: there are none.
  bool refuses_unranked = false;            ///< Matches of other rules.
  verification::VerifierLimits verifier = {};
  std::chrono::milliseconds move_matches_every{0};  ///< For tests: whatever the loads are. 0: not.
  runtime::ClientLimits clients = {};
  std::vector<runtime::AddressRange> fronts = {};  ///< Who may say for whom they connect: see Acceptor.
  runtime::PortWatchdogOptions port_watchdog = {};
  TicketOptions tickets = {};
  AdminOptions admin = {};
  session::ListenAddress side_listen{};  ///< Of the side door, if there is one; port 0: any free one.
};

/// What the process has for its server and others; outlives it. Null: there is none.
struct ServerEnvironment {
  runtime::Health* health = nullptr;
  runtime::Metrics* metrics = nullptr;
  runtime::Journal* journal = nullptr;
  runtime::ReplayLibrary* replays = nullptr;
  runtime::CertificateStore* certificates = nullptr;  ///< Of TLS; without them connections are plain.
  session::SideDoor* side_door = nullptr;             ///< For clients alone, beside the server's door.
};

/// The server: as many loops as asked for, each a thread with its matches and its part of the door. An
/// acceptor listens for all of them and hands connections of the main address to the loops in turn; each loop
/// may also have an endpoint of its own, so that a client can go straight to the loop of its match.
class Server {
 public:
  /// The door outlives the server.
  Server(ServerOptions options, session::Door& door, const ServerEnvironment& environment = {});
  ~Server();

  /// Nothing once it serves; else why it cannot. `matches`: those that go on from the journal.
  std::optional<std::string> start(std::vector<runtime::RecoveredMatch> matches = {});

  /// Refuses new calls, ends every stream with UNAVAILABLE, and returns within seconds, whatever clients do.
  void stop();

  /// Reads files of keys again: how many keys of tickets are good, or what is wrong. From any thread.
  base::Result<std::size_t, std::string> reload();

  /// Where it listens, with the port that was chosen.
  const session::ListenAddress& address() const { return options_.listen; }
  /// The same of the side door.
  const session::ListenAddress& side_address() const { return options_.side_listen; }

 private:
  void tell_sandbox();
  std::optional<std::string> listen_at_side();
  void open_side();
  std::optional<std::string> read_rules();
  std::optional<std::string> listen_for_admin();
  std::optional<std::string> open_admin();
  /// Nothing, or why it cannot.
  std::optional<std::string> listen();
  std::optional<std::string> listen_at(session::ListenAddress& address, const runtime::Acceptor::Take& take);
  std::uint16_t told_port(std::size_t loop) const;
  void make_loop(std::size_t index);
  void watch_loops();
  void bring_back(std::vector<runtime::RecoveredMatch> matches);
  bool has_loop_ports() const { return options_.has_loop_ports && options_.loops > 1; }

  ServerOptions options_;
  const std::unique_ptr<session::Backend> backend_;
  TicketKeys ticket_keys_;
  runtime::CertificateStore* const certificates_;
  session::Door& door_;
  session::SideDoor* const side_door_;
  std::vector<std::uint16_t> loop_ports_;
  std::vector<std::unique_ptr<session::LoopDoor>> doors_;  ///< By loop.
  std::vector<std::unique_ptr<session::SideLoopDoor>>
      side_doors_;                                 ///< By loop; empty: there is no such door.
  std::unique_ptr<session::DoorPart> admin_door_;  ///< Null: no admin listener.
  std::vector<std::unique_ptr<session::MatchLoop>> loops_;
  runtime::Acceptor acceptor_;
  std::optional<runtime::LocalListener> admin_socket_;
  runtime::PortWatchdog port_watchdog_;
  Guard guard_;
  std::optional<ServerMetrics> metrics_;           ///< Absent: there are none.
  std::optional<runtime::LoopWatchdog> watchdog_;  ///< While there are loops, as the next.
  std::optional<runtime::WatchdogThread> watchdog_thread_;
  bool is_serving_ = false;
};

}  // namespace sweepd::app
