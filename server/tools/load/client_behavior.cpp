// SPDX-License-Identifier: MIT
#include "tools/load/client_behavior.h"

namespace sweepd::tools::load {

ClientBehavior behavior_of(const ClientBehaviorCounts& counts, std::uint32_t matches, std::uint32_t clients,
                           std::uint32_t match, std::uint32_t client) {
  const std::uint64_t turn = clients - 1 - client;
  std::uint64_t rank = match < matches ? turn * matches + match : std::uint64_t{match} * clients + turn;
  if (rank < counts.slow_readers) return ClientBehavior::kSlowReader;
  rank -= counts.slow_readers;
  if (rank < counts.disconnecting) return ClientBehavior::kDisconnecting;
  rank -= counts.disconnecting;
  if (rank < counts.late_frames) return ClientBehavior::kLateFrames;
  rank -= counts.late_frames;
  return rank < counts.malformed ? ClientBehavior::kMalformed : ClientBehavior::kGood;
}

}  // namespace sweepd::tools::load
