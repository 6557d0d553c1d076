// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sweepd::rpc {

/// Where each loop of this server is reached.
struct Endpoints {
  std::string host;                        ///< Empty: under whatever host a client reached the server.
  std::vector<std::uint32_t> loop_ports;   ///< By loop index.
};

}  // namespace sweepd::rpc
