// SPDX-License-Identifier: MIT
#include "tools/load/load_match.h"

#include <chrono>

#include "tools/load/load_channel.h"

namespace sweepd::tools::load {
namespace {

constexpr std::chrono::seconds kReachTime{1};

// A match may be cheapest to reach on a port of its own; the host is the one that this process knows.
std::string named_target(const Endpoint& endpoint, const std::string& server) {
  if (endpoint.port == 0 || server.starts_with("unix:")) return server;
  const std::string host = endpoint.host.empty() ? server.substr(0, server.rfind(':')) : endpoint.host;
  return host + ":" + std::to_string(endpoint.port);
}

bool can_be_reached(const std::string& target, const ServerChoice& server) {
  const auto channel = open_load_channel(target, server);
  return channel->WaitForConnected(std::chrono::system_clock::now() + kReachTime);
}

}  // namespace

const std::string& Targets::of(const MatchInfo& match) {
  const std::string named = named_target(match.endpoint, server_.address);
  const auto known = reachable_.find(named);
  if (known != reachable_.end()) return known->second;
  const bool is_named = named == server_.address || can_be_reached(named, server_);
  return reachable_.emplace(named, is_named ? named : server_.address).first->second;
}

}  // namespace sweepd::tools::load
