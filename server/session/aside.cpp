// SPDX-License-Identifier: MIT
#include "session/aside.h"

#include <utility>

#include "session/backend.h"

namespace sweepd::session {

// First what has been given back is freed, so that no more is held than what is parsed and what is taken.
// What is dropped runs where the workers are stopped: the call that asked for it waits.
bool run_aside(Backend& backend, const runtime::Payers& payers, const std::function<void()>& work) {
  const auto whole = [&backend, work] {
    backend.given_back.empty();
    work();
  };
  return backend.parsers.add({.run = whole, .drop = whole, .key = payers.own().key()});
}

void free_aside(Backend& backend, const runtime::Payers& payers, std::shared_ptr<void> what) {
  backend.given_back.put(std::move(what));
  if (!run_aside(backend, payers, [] {})) backend.given_back.empty();
}

}  // namespace sweepd::session
