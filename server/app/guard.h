// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "runtime/connections/acceptor.h"
#include "runtime/loop/periodic_thread.h"
#include "session/backend.h"

namespace sweepd::app {

/// Watches memory, the loops and the acceptor, and ends connections that take too much of them. On a thread
/// of its own: what keeps a loop or the acceptor busy must not keep memory from being watched.
class Guard {
 public:
  /// Both outlive the guard.
  Guard(session::Backend& backend, const runtime::Acceptor& acceptor);

  void start() { thread_.start(); }
  void stop() { thread_.stop(); }

 private:
  void note_ended(std::size_t connections, const char* why);
  std::size_t end_captors();

  session::Backend& backend_;
  const runtime::Acceptor& acceptor_;
  runtime::PeriodicThread thread_{"guard"};
};

}  // namespace sweepd::app
