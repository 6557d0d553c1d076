// SPDX-License-Identifier: MIT
#pragma once

#include "tools/sweepctl/trace.h"

namespace sweepd::fuzz {

/// Plays a trace in the match that it asks for, and aborts where the match refuses anything of it.
void play(const tools::Trace& trace);

}  // namespace sweepd::fuzz
