// SPDX-License-Identifier: MIT
#include "session/aside.h"

#include <utility>

#include "session/backend.h"

namespace sweepd::session {

// What is dropped runs where the workers are stopped: who has asked for it waits.
bool run_aside(Backend& backend, const runtime::Payers& payers, const std::function<void()>& work) {
  return backend.parsers.add({.run = work, .drop = work, .key = payers.own().key()});
}

// Copies of a job hold nothing, so that it goes where it is run.
void free_aside(Backend& backend, const runtime::Payers& payers, std::shared_ptr<void> what) {
  const auto held = std::make_shared<std::shared_ptr<void>>(std::move(what));
  (void)run_aside(backend, payers, [held] { held->reset(); });
}

}  // namespace sweepd::session
