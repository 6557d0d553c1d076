// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sweepd::tools::load {

/// What a process of this machine has used.
struct ProcessUse {
  std::chrono::nanoseconds cpu_time{0};  ///< Of all its threads, since it began.
  std::uint64_t resident_bytes = 0;
};

/// Nothing if there is no such process, or it is not ours to look at.
std::optional<ProcessUse> use_of_process(std::int32_t pid);
ProcessUse use_of_this_process();
/// On how many cores the calling thread may run; at least 1.
std::uint32_t cores_of_this_process();

/// The process that listens on a TCP port of this machine, if it is ours to look at.
std::optional<std::int32_t> find_listener(std::uint32_t port);

/// The port of HOST:PORT where HOST is this machine's loopback.
std::optional<std::uint32_t> loopback_port(const std::string& server);

}  // namespace sweepd::tools::load
