// SPDX-License-Identifier: MIT
#pragma once

#include <signal.h>
#include <unistd.h>

namespace sweepd::os {

/// The next SIGINT or SIGTERM ends this process at once, by that signal: its parent sees a process that was
/// interrupted. May be called in a signal handler, from any thread.
///
/// The signal's default action does that, and nothing of this process takes part in it: a handler that calls
/// _exit() runs on whichever thread the signal meets, and what watches a process at its exit (a sanitizer, a
/// profiler) would be asked about threads that still run. The first process of a container has no default
/// action, the kernel drops such signals: that one keeps a handler.
inline void let_next_signal_end_at_once() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  if (getpid() == 1) action.sa_handler = [](int number) { _exit(128 + number); };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace sweepd::os
