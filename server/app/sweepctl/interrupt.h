// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::app {

/// From here on Ctrl-C and a polite kill are remembered instead of ending the program; a second one ends it
/// at once.
void catch_interrupts();
bool interrupted();

}  // namespace sweepd::app
