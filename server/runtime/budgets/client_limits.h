// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/budgets/budgets.h"

namespace sweepd::runtime {

/// What clients may take, as the operator says it. 0: the default that is told beside it.
struct ClientLimits {
  std::size_t connections_max = 0;  ///< At once; default and bound: what the limit of open files leaves.
  std::size_t connections_per_client_max = 0;  ///< Default of this and the next three: see per_client.
  std::size_t streams_per_client_max = 0;
  std::size_t matches_per_client_max = 0;
  std::size_t calls_per_client_max = 0;
  std::size_t calls_max = 4096;  ///< Unary calls at once.
  std::size_t streams_per_connection_max = 1024;
  std::size_t bytes_per_client_max = std::size_t{32} << 20;  ///< Of large messages in memory.
  std::uint32_t handshakes_per_second_max = 256;             ///< Of TLS, four seconds' worth at once.
  std::uint32_t handshakes_per_second_per_client_max = 64;
  /// Of each kind of key, where that is not its default; see budget_limits.
  std::array<ByKind<std::optional<std::uint64_t>>, kResources> quotas = {};
  std::size_t verifications_per_client_max = 4;
  std::uint64_t journal_bytes_per_second = 0;  ///< Of one client; 0: no limit.
  std::uint64_t memory_max = 0;                ///< Bytes of the process; default: see default_memory_max.
};

/// A quarter of what all may have, but 256 where all may have so many: one client leaves room for others, and
/// a small server is not divided into crumbs.
std::size_t per_client(std::size_t in_all);

/// Connections for which `files_max` open files leave room: each is one, and files, sockets of operators and
/// verifiers need theirs.
std::size_t connections_for(std::uint64_t files_max);

/// The least ceiling that a server can be given.
inline constexpr std::uint64_t kMemoryMaxLeast = std::uint64_t{64} << 20;
/// Three quarters of the memory that the machine has or the process's group may use; not more than `ulimit
/// -v` leaves a server of so many loops.
std::uint64_t default_memory_max(std::size_t loops);

/// What a kind of key may have of a resource by default. A subject has what an address has, a tenant more:
/// many play for it from many addresses.
///
/// `limits` with its defaults in place; `files_max`: that the process may have open. `memory_max` of
/// `limits` has to be said.
BudgetLimits budget_limits(const ClientLimits& limits, std::uint64_t files_max, std::size_t streams_max,
                           std::size_t matches_max);

}  // namespace sweepd::runtime
