// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::session {

/// Which listener a connection has come by. Its door knows that by the socket that accepted it; nothing that
/// a client sends says so.
enum class Entrance : std::uint8_t {
  kOrdinary,
  kAdminSocket,   ///< A unix socket: who may open it is an operator.
  kAdminNetwork,  ///< TCP: for tickets of operators; where no tickets are asked for, for certificates.
};

}  // namespace sweepd::session
