// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "runtime/telemetry/metrics.h"
#include "session/status.h"

namespace sweepd::session {

/// "NOT_FOUND".
std::string_view name_of(Code code);

/// A call, or a participant's part in a shared stream, has ended with that, which is not OK. Thread-safe.
void count_refusal(Code code);
/// How many of the process have, by status.
std::vector<runtime::Sample> refusal_samples();

}  // namespace sweepd::session
