// SPDX-License-Identifier: MIT
#include "rpc/server.h"

#include <absl/synchronization/mutex.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>

#include <algorithm>
#include <thread>

#include "base/assert.h"
#include "rpc/loop_server.h"

namespace sweepd::rpc {
namespace {

constexpr std::chrono::seconds kGracePeriod{2};

}  // namespace

Server::Server(ServerOptions options)
    : options_(std::move(options)),
      backend_(std::make_unique<Backend>(options_.loops, options_.matches_max, options_.streams_max)) {
  SWEEPD_ASSERT(options_.loops > 0);
  backend_->advertised_host = options_.advertised_host;
}

Server::~Server() { SWEEPD_ASSERT(!is_serving_); }

std::optional<std::string> Server::start() {
  SWEEPD_ASSERT(!is_serving_ && backend_->loops.empty());
  // Distributions ship Abseil with its search for lock cycles on: with every lock, gRPC's loops would meet at
  // one more, that of the whole process.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  if (options_.listen.port != 0) {
    if (const auto obstacle = find_obstacle(options_.listen)) {
      return "cannot listen on " + options_.listen.to_string() + ": " + *obstacle;
    }
  }
  for (std::size_t i = 0; i < options_.loops; ++i) {
    if (auto error = start_loop(i)) return error;
  }
  for (const auto& loop : backend_->loops) loop->serve();
  is_serving_ = true;
  return std::nullopt;
}

std::uint16_t Server::endpoint_port(std::size_t index) const {
  if (options_.loop_port_base == 0) return 0;
  return static_cast<std::uint16_t>(options_.loop_port_base + index);
}

std::optional<std::string> Server::start_loop(std::size_t index) {
  LoopServerOptions loop_options{{options_.listen.to_string()}, options_.idle_match_timeout};
  if (options_.loops > 1) {  // Of one loop, the main address is the endpoint.
    const ListenAddress endpoint{options_.listen.host, endpoint_port(index)};
    const auto obstacle = endpoint.port == 0 ? std::nullopt : find_obstacle(endpoint);
    if (obstacle) return "cannot listen on " + endpoint.to_string() + ": " + *obstacle;
    loop_options.addresses.push_back(endpoint.to_string());
  }
  auto& loop = backend_->loops.emplace_back(std::make_unique<LoopServer>(*backend_));
  if (!loop->start(loop_options)) return "cannot listen on " + loop_options.addresses.back();
  // The first has chosen the port, where that was left open; the others share it.
  options_.listen.port = static_cast<std::uint16_t>(loop->ports().front());
  return std::nullopt;
}

void Server::stop() {
  SWEEPD_ASSERT(is_serving_);
  backend_->is_shutting_down = true;
  for (const auto& loop : backend_->loops) loop->end_streams();
  const auto deadline = std::chrono::system_clock::now() + kGracePeriod;
  for (const auto& loop : backend_->loops) loop->shut_down_server(deadline);
  // By now every call has ended, but the loops may have yet to hear of it; and a call may be between two
  // loops.
  const auto is_quiet = [](const auto& loop) { return loop->calls() == 0; };
  while (!std::ranges::all_of(backend_->loops, is_quiet))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (const auto& loop : backend_->loops) loop->join();
  backend_->loops.clear();
  is_serving_ = false;
}

}  // namespace sweepd::rpc
