// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "sweepd/client.h"

namespace sweepd::app::load {

/// A match that has been created for the load.
struct CreatedMatch {
  std::uint32_t number = 0;  ///< Of the run, from 0.
  std::string match_id;
  std::string target;  ///< Where its streams go.
};

/// HOST:PORT of a match on the server that was reached as `server`.
std::string target_of(const MatchInfo& match, const std::string& server);

}  // namespace sweepd::app::load
