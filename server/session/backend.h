// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "match/budget_maxima.h"
#include "runtime/budgets/allowance.h"
#include "runtime/budgets/budgets.h"
#include "runtime/budgets/client_limits.h"
#include "runtime/budgets/memory_guard.h"
#include "runtime/connections/connection_table.h"
#include "runtime/journal/journal.h"
#include "runtime/loop/workers.h"
#include "runtime/match/match_registry.h"
#include "runtime/replays/replay_library.h"
#include "runtime/telemetry/health.h"
#include "session/ended_matches.h"
#include "session/expulsions.h"
#include "session/gate.h"
#include "session/given_back.h"
#include "session/match_moves.h"
#include "session/official_rules.h"
#include "verification/verifier_limits.h"

namespace sweepd::session {

class MatchLoop;

/// What the loops of a server share. Set up before they start; thread-safe from then on.
struct Backend {
  Backend(std::size_t loops, std::size_t matches_max, const runtime::BudgetLimits& budget_limits,
          const runtime::ClientLimits& clients, verification::VerifierLimits limits = {})
      : budgets(budget_limits),
        connections(clients.streams_per_connection_max),
        memory(clients.memory_max),
        registry(loops, matches_max),
        moves(loops),
        file_readers(1, budgets.limit(runtime::Resource::kStreams).in_all),
        parsers(1, 2 * (budgets.limit(runtime::Resource::kCalls).in_all +
                        budgets.limit(runtime::Resource::kStreams).in_all)),
        verifier_limits(std::move(limits)),
        verifiers(verifier_limits.processes, verifier_limits.waiting),
        uploads(verifier_limits.uploads) {}

  /// How loaded each loop is. Once they have started.
  std::vector<runtime::LoadReading> loads() const;

  // Before what has shares of them.
  runtime::Budgets budgets;
  runtime::ConnectionTable connections;
  runtime::MemoryGuard memory;
  std::atomic<std::uint64_t> answers_not_taken = 0;
  std::atomic<std::uint64_t> connections_ended = 0;  ///< They sent much and no whole message.

  Gate gate;
  Expulsions expulsions;
  /// Reads files of keys again, on any thread: how many keys of tickets are good now, or what is wrong.
  std::function<base::Result<std::size_t, std::string>()> reload_keys = [] { return std::size_t{0}; };
  runtime::MatchRegistry registry;
  EndedMatches ended_matches;
  MoveTurn moves;                             ///< Of matches, between loops.
  runtime::LoadLimits load_limits;            ///< Of every loop.
  match::BudgetMaxima budget_maxima;          ///< Of every match.
  OfficialRules rules;                        ///< Empty: none are approved.
  bool refuses_unranked = false;              ///< Matches of other rules.
  std::atomic<std::size_t> play_streams = 0;  ///< Of those.
  std::atomic<std::size_t> watch_streams = 0;
  std::atomic<bool> is_shutting_down = false;  ///< New calls are refused.
  runtime::Health* health = nullptr;           ///< Null: of no part of the server is known how it is.
  std::vector<MatchLoop*> loops;

  runtime::Journal* journal = nullptr;  ///< Null: nothing is written down. Outlives the server.
  /// Where replays are had from; nullptr: nowhere. Outlives the server. Each stream that fetches one has one
  /// read on its way.
  runtime::ReplayLibrary* replays = nullptr;
  runtime::Workers file_readers;
  GivenBack given_back;  ///< For `parsers` to free, which go before it.
  /// Of large requests (aside.h): each call and stream has one here, and perhaps one that is being freed.
  runtime::Workers parsers;

  // Verifications take a core for seconds and the memory of what they verify: few run, each in a process of
  // its own, some wait, addresses take turns, and so many may be on their way from their clients. Beyond any
  // of these a further one is refused.
  const verification::VerifierLimits verifier_limits;
  runtime::Workers verifiers;
  runtime::Allowance uploads;
};

}  // namespace sweepd::session
