// SPDX-License-Identifier: MIT
#include "base/assert.h"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/last_words.h"

namespace sweepd::base {

void fail_assertion(const char* condition, const char* file, int line) {
  std::array<char, 1024> what;  // A longer condition is cut.
  std::snprintf(what.data(), what.size(), "%s:%d: broken invariant: %s", file, line, condition);
  say_last_words(what.data());
  std::abort();
}

}  // namespace sweepd::base
