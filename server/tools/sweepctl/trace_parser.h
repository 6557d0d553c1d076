// SPDX-License-Identifier: MIT
#pragma once

#include <istream>

#include "sweepd/status.h"
#include "tools/sweepctl/trace.h"

namespace sweepd::tools {

/// Reads a whole trace of format version 1. The message of an error begins with "trace line N: ".
Result<Trace> parse_trace(std::istream& input);

}  // namespace sweepd::tools
