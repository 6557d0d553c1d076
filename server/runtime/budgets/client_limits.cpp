// SPDX-License-Identifier: MIT
#include "runtime/budgets/client_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "base/assert.h"
#include "os/address_space.h"

namespace sweepd::runtime {
namespace {

/// The limit of the process's control group (version 2), or none.
std::uint64_t group_memory_max() {
  constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  std::ifstream groups("/proc/self/cgroup");
  std::string path;
  for (std::string line; std::getline(groups, line);) {
    if (line.starts_with("0::")) path = line.substr(3);
  }
  std::uint64_t least = kNone;
  for (const std::string& folder : {path, std::string()}) {
    std::ifstream file("/sys/fs/cgroup" + folder + "/memory.max");
    std::uint64_t bytes = 0;
    if (file >> bytes) least = std::min(least, bytes);  // "max" is no number.
  }
  return least;
}

/// A subject has what an address has, a tenant more: many play for it, from many addresses.
BudgetLimit held(std::uint64_t of_address, std::uint64_t of_tenant, std::uint64_t in_all) {
  return {.of_key = {{of_address, of_address, of_tenant, of_address}}, .in_all = in_all};
}

BudgetLimit limit_of(std::size_t asked_per_client, std::size_t in_all) {
  const std::size_t of_address =
      std::min(asked_per_client == 0 ? per_client(in_all) : asked_per_client, in_all);
  return held(of_address, std::max(of_address, in_all / 2), in_all);
}

/// One client leaves some connections to others, however few there are.
BudgetLimit connections_of(const ClientLimits& limits, std::size_t in_all) {
  BudgetLimit limit = limit_of(limits.connections_per_client_max, in_all);
  std::uint64_t& of_address = limit.of_key[KeyKind::kAddress];
  if (limits.connections_per_client_max == 0 && in_all > 1)
    of_address = std::min<std::uint64_t>(of_address, in_all / 2);
  return limit;
}

/// A stream may be shared by so many participants.
BudgetLimit seats_of(const BudgetLimit& streams) {
  constexpr std::uint64_t kSeatsPerStream = 64;
  BudgetLimit limit = streams;
  limit.in_all *= kSeatsPerStream;
  for (const KeyKind kind : {KeyKind::kBackend, KeyKind::kTenant, KeyKind::kAddress})
    limit.of_key[kind] *= kSeatsPerStream;
  return limit;
}

constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;

void set_verifications(const ClientLimits& limits, BudgetLimits& result) {
  const std::uint64_t calls = limits.verifications_per_client_max;
  result[Resource::kVerifications] = held(calls, calls * 4, kUnbounded);
  result[Resource::kVerificationBytes] = held(128 * kMebi, 192 * kMebi, 256 * kMebi);
}

/// In a second. Of frames: 64 participants on one stream at 240 Hz; a backend may play many matches.
void set_rates(const ClientLimits& limits, BudgetLimits& result) {
  const auto set = [&result](Resource resource, const ByKind<std::uint64_t>& of_key) {
    result[resource].of_key = of_key;
  };
  set(Resource::kFrames, {{16'384, 262'144, kMebi, kMebi}});
  set(Resource::kFrameBytes, {{16 * kMebi, 128 * kMebi, 512 * kMebi, 1024 * kMebi}});
  set(Resource::kQueryTests, {{4 * kMebi, 32 * kMebi, 64 * kMebi, 64 * kMebi}});
  set(Resource::kClaims, {{8'192, 65'536, 262'144, 262'144}});
  const std::uint64_t written = limits.journal_bytes_per_second;
  set(Resource::kJournalBytes, {{written, written, written * 4, written}});
  set(Resource::kFailedTickets, {{0, 0, 0, 20}});
}

/// What the operator says, and of what is held never more than there is.
void set_quotas(const ClientLimits& limits, BudgetLimits& result) {
  for (std::size_t i = 0; i < kResources; ++i) {
    BudgetLimit& limit = result.all[i];
    for (const KeyKind kind : kAllKeyKinds) {
      limit.of_key[kind] = limits.quotas[i][kind].value_or(limit.of_key[kind]);
      if (is_held(static_cast<Resource>(i))) limit.of_key[kind] = std::min(limit.of_key[kind], limit.in_all);
    }
  }
}

}  // namespace

std::size_t per_client(std::size_t in_all) {
  constexpr std::size_t kUndivided = 256;
  return std::max(in_all / 4, std::min(in_all, kUndivided));
}

std::size_t connections_for(std::uint64_t files_max) {
  const std::uint64_t kept = std::min<std::uint64_t>({files_max / 2, 64 + files_max / 8, 1024});
  constexpr std::uint64_t kMost = 100'000;
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(files_max - kept, 1, kMost));
}

std::uint64_t default_memory_max(std::size_t loops) {
  const auto machine =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t most = std::min(machine, group_memory_max()) / 4 * 3;
  const std::uint64_t space = os::address_space_max();
  if (space == RLIM_INFINITY) return most;
  const std::uint64_t beside = os::address_space_beside_memory(loops);
  return std::min(most, std::max(space, beside + kMemoryMaxLeast) - beside);
}

BudgetLimits budget_limits(const ClientLimits& limits, std::uint64_t files_max, std::size_t streams_max,
                           std::size_t matches_max) {
  SWEEPD_ASSERT(limits.memory_max > 0);
  const std::size_t room = connections_for(files_max);
  const std::size_t connections = limits.connections_max == 0 ? room : std::min(limits.connections_max, room);
  // Large messages of all clients together take a quarter of the memory.
  const auto bytes = static_cast<std::size_t>(limits.memory_max / 4);
  BudgetLimits result{};
  result[Resource::kConnections] = connections_of(limits, connections);
  result[Resource::kStreams] = limit_of(limits.streams_per_client_max, streams_max);
  result[Resource::kMatches] = limit_of(limits.matches_per_client_max, matches_max);
  result[Resource::kCalls] = limit_of(limits.calls_per_client_max, limits.calls_max);
  result[Resource::kSeats] = seats_of(result[Resource::kStreams]);
  const std::uint64_t of_address = std::min(limits.bytes_per_client_max, bytes);
  result[Resource::kBytes] = held(of_address, std::max<std::uint64_t>(of_address, bytes / 2), bytes);
  set_verifications(limits, result);
  set_rates(limits, result);
  set_quotas(limits, result);
  return result;
}

}  // namespace sweepd::runtime
