// SPDX-License-Identifier: MIT
#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

#include "base/last_words.h"

namespace sweepd::base {

void fail_assertion(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, condition);
  say_last_words();
  std::abort();
}

}  // namespace sweepd::base
