// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tools/load/load_result.h"

namespace sweepd::tools::load {

/// Whether a number of matches was held: every p99 up to the bound, every match at its tick rate, nothing
/// lost, and the load generator neither busy itself nor late.
SearchStep step_of(const LoadResult& result, Histogram::Duration bound);

/// Which of these it was; empty if it was held.
std::string why_not_held(const SearchStep& step, Histogram::Duration bound, std::uint32_t rate_hz);

}  // namespace sweepd::tools::load
