// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::bench {

/// What a server has used since it began.
struct ServerUse {
  double cpu_us = 0;
  std::uint64_t allocations = 0;
};

/// The whole server, with one loop, in a process of its own: gRPC has one set of sockets for all that a
/// process does, and would have its client do the server's work.
class ServerChild {
 public:
  /// Before anything of gRPC is used in this process. It does nothing until it is asked for its port. `core`:
  /// where it runs.
  explicit ServerChild(int core);
  ~ServerChild();
  ServerChild(const ServerChild&) = delete;
  ServerChild& operator=(const ServerChild&) = delete;

  /// Starts the server if it does not run yet.
  int port();
  ServerUse use();

 private:
  [[noreturn]] void serve();
  template <typename Answer>
  Answer ask(char question);

  int process_ = 0;
  int questions_[2] = {-1, -1};
  int answers_[2] = {-1, -1};
};

}  // namespace sweepd::bench
