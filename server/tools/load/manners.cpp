// SPDX-License-Identifier: MIT
#include "tools/load/manners.h"

namespace sweepd::tools::load {

Manners manners_of(const MannersCounts& counts, std::uint32_t matches, std::uint32_t clients,
                   std::uint32_t match, std::uint32_t client) {
  const std::uint64_t turn = clients - 1 - client;
  std::uint64_t rank = match < matches ? turn * matches + match : std::uint64_t{match} * clients + turn;
  if (rank < counts.slow_readers) return Manners::kSlowReader;
  rank -= counts.slow_readers;
  if (rank < counts.disconnecting) return Manners::kDisconnecting;
  rank -= counts.disconnecting;
  if (rank < counts.late_frames) return Manners::kLateFrames;
  rank -= counts.late_frames;
  return rank < counts.malformed ? Manners::kMalformed : Manners::kGood;
}

}  // namespace sweepd::tools::load
