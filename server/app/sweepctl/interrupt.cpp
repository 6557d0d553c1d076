// SPDX-License-Identifier: MIT
#include "app/sweepctl/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace sweepd::app {
namespace {

std::atomic<bool> interrupt_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

void remember_interrupt(int number) {
  if (interrupt_seen.exchange(true)) _exit(128 + number);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, remember_interrupt);
  std::signal(SIGTERM, remember_interrupt);
}

bool interrupted() { return interrupt_seen.load(); }

}  // namespace sweepd::app
