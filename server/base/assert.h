// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::base {

/// Says what is broken (last_words.h) and aborts.
[[noreturn]] void fail_assertion(const char* condition, const char* file, int line);

}  // namespace sweepd::base

/// For invariants of our own code, never for bad input. Stays on in release builds: a server that goes on
/// with a broken world would hand out wrong verdicts.
#define SWEEPD_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::sweepd::base::fail_assertion(#condition, __FILE__, __LINE__))
