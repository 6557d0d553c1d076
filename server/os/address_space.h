// SPDX-License-Identifier: MIT
#pragma once

#include <malloc.h>
#include <sys/resource.h>

#include <cstdint>

namespace sweepd::os {

/// What `ulimit -v` lets the process have of the address space; RLIM_INFINITY: all.
inline std::uint64_t address_space_max() {
  rlimit limit = {};
  return getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

/// What a server of so many loops takes of it beside its memory: libraries, what malloc reserves, and stacks
/// of threads, gRPC's among them, of which a small part is memory. A thread whose stack finds no room ends
/// the process.
inline std::uint64_t address_space_beside_memory(std::uint64_t loops) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  constexpr std::uint64_t kThreads = 32;  // 21 when it starts.
  constexpr std::uint64_t kThreadsOfLoop = 2;
  rlimit stack = {};
  const bool is_known = getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY;
  const std::uint64_t stack_bytes = is_known ? stack.rlim_cur : 8 * kMebibyte;
  return 64 * kMebibyte + (kThreads + kThreadsOfLoop * loops) * stack_bytes;
}

/// malloc would reserve 64 MiB for each of a dozen threads. Before any of them is started.
inline void save_address_space() {
  if (address_space_max() != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
}

}  // namespace sweepd::os
