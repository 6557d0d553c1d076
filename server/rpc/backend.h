// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rpc/match_moves.h"
#include "rpc/peer_places.h"
#include "rpc/verifier_limits.h"
#include "runtime/allowance.h"
#include "runtime/health.h"
#include "runtime/journal/journal.h"
#include "runtime/match_registry.h"
#include "runtime/replays/replay_library.h"
#include "runtime/workers.h"

namespace sweepd::rpc {

class LoopServer;

/// What the loops of a server share. Set up before they start; thread-safe from then on.
struct Backend {
  Backend(std::size_t loops, std::size_t matches_max, std::size_t streams_most, VerifierLimits limits = {})
      : registry(loops, matches_max),
        moves(loops),
        streams_max(streams_most),
        file_readers(1, streams_most),
        verifier_limits(std::move(limits)),
        uploads(verifier_limits.uploads),
        verification_peers(verifier_limits.calls_per_peer) {}

  /// How loaded each loop is. Once they have started.
  std::vector<runtime::LoadReading> loads() const;

  runtime::MatchRegistry registry;
  MoveTurn moves;                   ///< Of matches, between loops.
  runtime::LoadLimits load_limits;  ///< Of every loop.
  const std::size_t streams_max;    ///< Of Play, Watch and GetReplay, at once; a further one is refused.
  std::atomic<std::size_t> streams = 0;
  std::atomic<std::size_t> play_streams = 0;  ///< Of those.
  std::atomic<std::size_t> watch_streams = 0;
  std::atomic<bool> is_shutting_down = false;  ///< New calls are refused.
  std::string advertised_host;
  runtime::Health* health = nullptr;  ///< Null: of no part of the server is known how it is.
  std::vector<std::unique_ptr<LoopServer>> loops;

  runtime::Journal* journal = nullptr;  ///< Null: nothing is written down. Outlives the server.
  /// Where replays are had from; nullptr: nowhere. Outlives the server. Each stream that fetches one has one
  /// read on its way.
  runtime::ReplayLibrary* replays = nullptr;
  runtime::Workers file_readers;

  // Verifications take a core for seconds and the memory of what they verify: one runs, in a process of its
  // own, eight wait, and so many may be on their way from their clients. Beyond any of these a further one is
  // refused.
  const VerifierLimits verifier_limits;
  runtime::Workers verifiers{1, 8};
  runtime::Allowance uploads;
  PeerPlaces verification_peers;
  runtime::Allowance verification_bytes{std::size_t{256} << 20};  ///< Of all replays, and of all answers.
};

}  // namespace sweepd::rpc
