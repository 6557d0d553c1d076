// SPDX-License-Identifier: MIT
#pragma once

#include "base/sanitizers.h"

namespace sweepd {

/// How often a test tries what it chooses at random. A sanitizer looks at how things are done, not at how
/// they end: a third of the rounds does there.
template <typename Count>
constexpr Count rounds(Count count) {
  return base::kHasSanitizer ? (count + 2) / 3 : count;
}

}  // namespace sweepd
