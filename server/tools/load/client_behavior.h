// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::tools::load {

/// How a client behaves.
enum class ClientBehavior : std::uint8_t {
  kGood,
  kSlowReader,     ///< Reads nothing after it has joined.
  kDisconnecting,  ///< Breaks its connection every second and comes back to its seat.
  kLateFrames,     ///< Sends, every second, a frame for a tick that is long over.
  kMalformed,      ///< Sends, every second, a frame that cannot be understood.
};

/// How many clients of a run behave in which way; the others are good.
struct ClientBehaviorCounts {
  std::uint32_t slow_readers = 0;
  std::uint32_t disconnecting = 0;
  std::uint32_t late_frames = 0;
  std::uint32_t malformed = 0;

  std::uint64_t sum() const { return std::uint64_t{slow_readers} + disconnecting + late_frames + malformed; }
};

/// Of one client. The first `matches` matches get their first misbehaving client, the last one by number,
/// before any gets a second; clients of matches that are added later come after all of those.
ClientBehavior behavior_of(const ClientBehaviorCounts& counts, std::uint32_t matches, std::uint32_t clients,
                           std::uint32_t match, std::uint32_t client);

}  // namespace sweepd::tools::load
