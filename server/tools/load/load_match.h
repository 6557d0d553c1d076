// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "sweepd/client.h"
#include "tools/sweepctl/server_choice.h"

namespace sweepd::tools::load {

/// A match that has been created for the load.
struct CreatedMatch {
  std::uint32_t number = 0;  ///< Of the run, from 0.
  std::string match_id;
  std::string target;  ///< Where its streams go.
};

/// Where the streams of matches go, on the server that was chosen.
class Targets {
 public:
  explicit Targets(ServerChoice server) : server_(std::move(server)) {}

  /// HOST:PORT of the match's own endpoint or, where no connection is made there within a second, of the
  /// server. Each is tried once.
  const std::string& of(const MatchInfo& match);

 private:
  const ServerChoice server_;
  std::map<std::string, std::string> reachable_;  ///< By what was named.
};

}  // namespace sweepd::tools::load
