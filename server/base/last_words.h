// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::base {

namespace last_words_detail {
inline void (*say)() = nullptr;
}

/// What is still to be done when the process ends for a reason of its own making: a broken invariant, an
/// exception that nobody takes. `say` may be called on any thread, in any state, by several and by what it
/// calls itself: it throws nothing, and returns within about a second. Null: nothing. While no other thread
/// can fail, or at the start and the end of the process.
inline void set_last_words(void (*say)()) { last_words_detail::say = say; }

inline void say_last_words() {
  if (last_words_detail::say != nullptr) last_words_detail::say();
}

}  // namespace sweepd::base
