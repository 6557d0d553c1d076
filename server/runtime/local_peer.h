// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sweepd::runtime {

/// The process at the other end of a unix socket, as the kernel knows it.
struct LocalPeer {
  std::uint32_t user = 0;
  std::int32_t process = 0;
};

/// An address for an end of a connection that tells its peer; each time another.
std::string address_of(const LocalPeer& peer);
/// The peer in an address that `address_of` has made, behind any prefix. Nothing: it has not.
std::optional<LocalPeer> local_peer_in(std::string_view address);

}  // namespace sweepd::runtime
