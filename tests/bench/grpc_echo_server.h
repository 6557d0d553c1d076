// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sweepd::bench {

/// What a server built by hand on gRPC would do with the messages of the clients of matches.
enum class EchoMode : std::uint8_t {
  kEcho,  ///< Each message has an answer at once.
  kTick,  ///< What has come in is noted; every tick of a match, each of its four streams gets an answer.
};

struct EchoServerOptions {
  int port = 0;
  EchoMode mode = EchoMode::kEcho;
  std::size_t answer_bytes = 0;
};

/// The fastest that gRPC for C++ does here: one thread, one completion queue, bytes that nobody parses, ticks
/// on the queue's own thread in 16 groups of phases. Serves until the process ends; false: it cannot listen.
bool serve_echo(const EchoServerOptions& options);

}  // namespace sweepd::bench
