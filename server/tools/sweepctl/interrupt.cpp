// SPDX-License-Identifier: MIT
#include "tools/sweepctl/interrupt.h"

#include <atomic>
#include <csignal>

#include "os/next_signal.h"

namespace sweepd::tools {
namespace {

std::atomic<bool> interrupt_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

void remember_interrupt(int) {
  interrupt_seen.store(true);
  os::let_next_signal_end_at_once();
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, remember_interrupt);
  std::signal(SIGTERM, remember_interrupt);
}

bool interrupted() { return interrupt_seen.load(); }

}  // namespace sweepd::tools
