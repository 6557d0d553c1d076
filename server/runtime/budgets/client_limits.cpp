// SPDX-License-Identifier: MIT
#include "runtime/budgets/client_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "base/assert.h"

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

/// What `ulimit -v` leaves the process, or none.
std::uint64_t address_space_max() {
  rlimit limit = {};
  return getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

BudgetLimit limit_of(std::size_t asked_per_client, std::size_t in_all) {
  return {std::min(asked_per_client == 0 ? per_client(in_all) : asked_per_client, in_all), in_all};
}

/// One client leaves some connections to others, however few there are.
BudgetLimit connections_of(const ClientLimits& limits, std::size_t in_all) {
  BudgetLimit limit = limit_of(limits.connections_per_client_max, in_all);
  if (limits.connections_per_client_max == 0 && in_all > 1) limit.of_key = std::min(limit.of_key, in_all / 2);
  return limit;
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

std::uint64_t default_memory_max() {
  const auto machine =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min({machine, group_memory_max(), address_space_max()}) / 4 * 3;
}

BudgetLimits budget_limits(const ClientLimits& limits, std::uint64_t files_max, std::size_t streams_max,
                           std::size_t matches_max) {
  SWEEPD_ASSERT(limits.memory_max > 0);
  const std::size_t room = connections_for(files_max);
  const std::size_t connections = limits.connections_max == 0 ? room : std::min(limits.connections_max, room);
  // Large messages of all clients together take a quarter of the memory.
  const auto bytes = static_cast<std::size_t>(limits.memory_max / 4);
  BudgetLimits result{};
  const auto set = [&result](Resource resource, BudgetLimit limit) {
    result[static_cast<std::size_t>(resource)] = limit;
  };
  set(Resource::kConnections, connections_of(limits, connections));
  set(Resource::kStreams, limit_of(limits.streams_per_client_max, streams_max));
  set(Resource::kMatches, limit_of(limits.matches_per_client_max, matches_max));
  set(Resource::kCalls, limit_of(limits.calls_per_client_max, limits.calls_max));
  set(Resource::kBytes, {std::min(limits.bytes_per_client_max, bytes), bytes});
  return result;
}

}  // namespace sweepd::runtime
