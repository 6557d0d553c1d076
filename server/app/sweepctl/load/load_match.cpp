// SPDX-License-Identifier: MIT
#include "app/sweepctl/load/load_match.h"

namespace sweepd::app::load {

// A match may be cheapest to reach on a port of its own; the host is the one that this process knows.
std::string target_of(const MatchInfo& match, const std::string& server) {
  if (match.endpoint.port == 0 || server.starts_with("unix:")) return server;
  const std::size_t colon = server.rfind(':');
  const std::string host = match.endpoint.host.empty() ? server.substr(0, colon) : match.endpoint.host;
  return host + ":" + std::to_string(match.endpoint.port);
}

}  // namespace sweepd::app::load
