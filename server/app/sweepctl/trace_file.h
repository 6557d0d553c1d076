// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "app/sweepctl/trace.h"
#include "sweepd/status.h"

namespace sweepd::app {

/// Reads a trace of format version 1 from a file, or from standard input if the path is "-".
Result<Trace> read_trace(const std::string& path);

}  // namespace sweepd::app
