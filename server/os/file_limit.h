// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace sweepd::os {

/// How many files and sockets this process may have open at once.
struct FileLimit {
  std::uint64_t before = 0;  ///< What it was started with,
  std::uint64_t now = 0;     ///< and what it has.
};

/// As many as its user may: shells give far fewer to begin with (1024), and every connection is one. Threads
/// and processes that are started later inherit it.
inline FileLimit raise_file_limit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  const FileLimit unchanged{limit.rlim_cur, limit.rlim_cur};
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return unchanged;
  return {unchanged.before, limit.rlim_cur};
}

}  // namespace sweepd::os
