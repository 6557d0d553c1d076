// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/budgets/budget_key.h"
#include "runtime/clock.h"

namespace sweepd::runtime {

/// What clients take of a server.
enum class Resource : std::uint8_t {
  // Held, and given back.
  kConnections,
  kStreams,            ///< Of Play, Watch, GetReplay and of health.
  kCalls,              ///< With one request and one answer, until the answer is taken.
  kMatches,            ///< That a client has created and that run.
  kSeats,              ///< That it has in matches, also while it is away.
  kBytes,              ///< Of large messages in memory: requests that are worked on, answers not taken.
  kVerifications,      ///< That are on their way, wait or run.
  kVerificationBytes,  ///< Of replays that are verified, and of verdicts not taken.
  // Spent: so much a second.
  kFrames,         ///< On Play streams.
  kFrameBytes,     ///< Of messages of Play streams.
  kQueryTests,     ///< That questions take, each one at least.
  kClaims,         ///< Of hits, in frames and of ValidateHits.
  kJournalBytes,   ///< That the journal writes for it.
  kFailedTickets,  ///< Tickets that were verified and found wrong.
  // Kept: what exceeds it is removed, not refused.
  kReplayBytes,
};
inline constexpr std::size_t kResources = 15;
inline constexpr std::size_t kHeldResources = 8;
inline constexpr std::size_t kSpentResources = 6;

constexpr std::size_t index_of(Resource resource) { return static_cast<std::size_t>(resource); }
constexpr bool is_held(Resource resource) { return index_of(resource) < kHeldResources; }
constexpr bool is_spent(Resource resource) {
  return !is_held(resource) && index_of(resource) < kHeldResources + kSpentResources;
}

/// "connections"; of metrics and flags. Those that are spent end in "_per_s".
std::string_view name_of(Resource resource);
std::optional<Resource> resource_named(std::string_view name);
/// How an operator raises it: "--streams-per-client-max", "--subject-max streams=N".
std::string flag_of(Resource resource, KeyKind kind);

/// Something for each kind of key.
template <typename Value>
struct ByKind {
  std::array<Value, kKeyKinds> values = {};
  Value& operator[](KeyKind kind) { return values[static_cast<std::size_t>(kind)]; }
  const Value& operator[](KeyKind kind) const { return values[static_cast<std::size_t>(kind)]; }
};

struct BudgetLimit {
  ByKind<std::uint64_t> of_key = {};  ///< Of what is spent or kept, 0: no limit.
  std::uint64_t in_all = 0;           ///< Of what is held.
};
/// By Resource.
struct BudgetLimits {
  std::array<BudgetLimit, kResources> all = {};
  BudgetLimit& operator[](Resource resource) { return all[index_of(resource)]; }
  const BudgetLimit& operator[](Resource resource) const { return all[index_of(resource)]; }
};

/// Which limit does not allow it.
struct Excess {
  Resource resource = Resource::kConnections;
  std::optional<KeyKind> kind = {};  ///< Nothing: of all together.
  std::uint64_t limit = 0;
  Duration retry_after = {};  ///< Of what is spent.
};

}  // namespace sweepd::runtime
