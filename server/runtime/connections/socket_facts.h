// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sweepd::runtime {

/// What errno says, for people.
std::string last_system_error();

/// Which socket a descriptor stands for: unlike its number, no other socket has that while the machine runs.
/// Nothing: the descriptor is closed.
std::optional<std::uint64_t> socket_number(int descriptor);

/// Bytes that have come from the peer, and bytes that it has taken; none where the descriptor is no TCP
/// socket.
struct SocketTraffic {
  std::uint64_t received = 0;
  std::uint64_t taken = 0;
};
SocketTraffic traffic_of(int descriptor);
/// Bytes that have come and that this process has read.
std::uint64_t bytes_read_of(int descriptor);

/// Small messages go out at once, and a peer that is gone is noticed within half a minute.
void prepare_connection(int descriptor);

/// Ends the connection that `descriptor` stood for when its number was `number`, and no other: its
/// owner sees the end and closes it. What has come and is not read yet is lost.
void end_connection(int descriptor, std::uint64_t number);

/// Closes it without a goodbye: nothing of it stays in the kernel.
void reset_connection(int descriptor);

}  // namespace sweepd::runtime
