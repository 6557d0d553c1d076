// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sweepd/status.h"
#include "tools/sweepctl/trace.h"

namespace sweepd::tools {

/// Reads a trace of format version 1 from a file, or from standard input if the path is "-".
Result<Trace> read_trace(const std::string& path);

}  // namespace sweepd::tools
