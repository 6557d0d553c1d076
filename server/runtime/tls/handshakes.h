// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::runtime {

/// Has OpenSSL tell of every connection of TLS that this process makes from now on, whichever library makes
/// it: gRPC tells of none. Each is kept from renegotiating and from resuming an earlier session, whose
/// certificates may not be good any more. Before there are threads; further calls do nothing.
void count_handshakes();

std::uint64_t handshakes_begun();
/// Of servers: the connection ended before the client had finished its part.
std::uint64_t handshakes_failed();

}  // namespace sweepd::runtime
