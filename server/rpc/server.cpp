// SPDX-License-Identifier: MIT
#include "rpc/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>

#include "base/assert.h"

namespace sweepd::rpc {
namespace {

/// Streams learn at once why they end; whoever does not listen for this long is cancelled.
constexpr std::chrono::seconds kShutdownGrace{2};

std::string address_of(const std::string& host, int port) {
  const bool is_ipv6 = host.find(':') != std::string::npos && host.front() != '[';
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::vector<runtime::Loop*> pointers(const std::vector<std::unique_ptr<runtime::Loop>>& loops) {
  std::vector<runtime::Loop*> result;
  for (const auto& loop : loops) result.push_back(loop.get());
  return result;
}

}  // namespace

Server::Server(ServerOptions options) : options_(std::move(options)), streams_(options_.streams_max) {
  SWEEPD_ASSERT(options_.loops > 0);
  for (std::uint32_t i = 0; i < options_.loops; ++i) loops_.push_back(std::make_unique<runtime::Loop>(i));
  registry_ = std::make_unique<runtime::MatchRegistry>(
      pointers(loops_), runtime::RegistryOptions{options_.matches_max, options_.idle_timeout});
  context_ = std::make_unique<ServiceContext>(ServiceContext{*registry_, streams_, endpoints_});
}

Server::~Server() { stop(); }

std::string Server::own_address(std::uint32_t loop) const {
  if (options_.loops == 1 && options_.loop_port_base == 0) return "";
  return address_of(options_.host, options_.loop_port_base == 0 ? 0 : options_.loop_port_base + loop);
}

std::optional<std::string> Server::bind() {
  port_ = options_.port;
  for (std::uint32_t i = 0; i < options_.loops; ++i) {
    servers_.push_back(std::make_unique<LoopServer>(*loops_[i]));
    LoopServer& server = *servers_.back();
    const std::string main_address = address_of(options_.host, port_);
    if (!server.bind(main_address, own_address(i))) {
      return "cannot listen on " + main_address + (own_address(i).empty() ? "" : " and " + own_address(i));
    }
    port_ = server.main_port();  // With port 0 the first one chooses, the others share it.
    endpoints_.loop_ports.push_back(
        static_cast<std::uint32_t>(own_address(i).empty() ? server.main_port() : server.own_port()));
  }
  return std::nullopt;
}

std::optional<std::string> Server::start() {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  endpoints_.host = options_.advertise_host;
  if (auto error = bind()) return error;
  for (const auto& server : servers_) server->serve(*context_);
  for (const auto& server : servers_) server->set_serving(true);
  is_running_ = true;
  return std::nullopt;
}

void Server::stop() {
  if (!is_running_) return;
  is_running_ = false;
  for (const auto& server : servers_) server->set_serving(false);
  registry_->stop();
  streams_.stop();
  const auto deadline = std::chrono::system_clock::now() + kShutdownGrace;
  for (const auto& server : servers_) server->shut_down(deadline);
  for (const auto& server : servers_) server->stop_loop();
}

}  // namespace sweepd::rpc
