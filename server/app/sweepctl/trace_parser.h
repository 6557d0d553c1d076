// SPDX-License-Identifier: MIT
#pragma once

#include <istream>

#include "app/sweepctl/trace.h"
#include "sweepd/status.h"

namespace sweepd::app {

/// Reads a whole trace of format version 1. The message of an error begins with "trace line N: ".
Result<Trace> parse_trace(std::istream& input);

}  // namespace sweepd::app
