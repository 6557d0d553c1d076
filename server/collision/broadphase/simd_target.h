// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace sweepd::collision {

/// The kinds of vector (by Google Highway's names) that this processor can run, best first; the last one is
/// emulated and runs anywhere. All give the same results.
std::vector<std::string_view> simd_targets();

/// The one in use: the best, unless another was chosen.
std::string_view simd_target();

/// Uses another one; false if it cannot run here. For tests and measurements: no broadphase may be at work
/// meanwhile.
bool use_simd_target(std::string_view name);

}  // namespace sweepd::collision
