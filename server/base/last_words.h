// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::base {

/// Says `what`, a line of text, and what was said before it and still waits to be written. Called on any
/// thread, in any state, and possibly by several threads. It throws nothing and returns within about a
/// second. False: it cannot say anything.
using LastWords = bool (*)(const char* what);

/// How the process says why it ends by a fault of its own: a broken invariant, an exception that nothing
/// catches. Null: on stderr. To be set while no other thread can fail.
void set_last_words(LastWords say);

/// Says why the process is about to end.
void say_last_words(const char* what);

}  // namespace sweepd::base
