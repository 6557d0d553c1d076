// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::tools {

/// From here on the first Ctrl-C or polite kill is remembered instead of ending the program; the second one
/// ends it at once (see next_signal.h).
void catch_interrupts();
bool interrupted();

}  // namespace sweepd::tools
