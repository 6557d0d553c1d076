// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rpc/loop_server.h"
#include "rpc/service_context.h"
#include "runtime/match_registry.h"

namespace sweepd::rpc {

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 7777;          ///< 0: any free one.
  std::uint32_t loops = 1;
  std::uint16_t loop_port_base = 0;   ///< Loop i's own port is this plus i; 0: any free ones.
  std::string advertise_host;         ///< Told to clients; empty: the host under which they came.
  std::size_t matches_max = 10'000;
  std::size_t streams_max = 10'000;
  std::chrono::seconds idle_timeout{300};
};

/// The whole server: loops, matches, ports.
class Server {
 public:
  explicit Server(ServerOptions options);
  ~Server();

  /// Binds and serves. An error says what could not be had.
  std::optional<std::string> start();
  std::uint16_t port() const { return static_cast<std::uint16_t>(port_); }

  /// Tells every stream why, lets calls finish for a few seconds, ends the loops. Blocks.
  void stop();

 private:
  std::optional<std::string> bind();
  std::string own_address(std::uint32_t loop) const;

  const ServerOptions options_;
  std::vector<std::unique_ptr<runtime::Loop>> loops_;
  std::unique_ptr<runtime::MatchRegistry> registry_;
  StreamCalls streams_;
  Endpoints endpoints_;
  std::unique_ptr<ServiceContext> context_;
  std::vector<std::unique_ptr<LoopServer>> servers_;
  int port_ = 0;
  bool is_running_ = false;
};

}  // namespace sweepd::rpc
