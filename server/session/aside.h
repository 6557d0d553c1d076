// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include "runtime/budgets/budgets.h"

namespace sweepd::session {

struct Backend;

// What a large request takes beside the loops: these have ticks that are due. Those who pay take turns.

/// Runs `work` on a thread of the workers that parse. False: the server stops, and it will not run.
[[nodiscard]] bool run_aside(Backend& backend, const runtime::Payers& payers,
                             const std::function<void()>& work);

/// Frees on such a thread what nothing else holds: a message of many parts takes milliseconds.
void free_aside(Backend& backend, const runtime::Payers& payers, std::shared_ptr<void> what);

}  // namespace sweepd::session
