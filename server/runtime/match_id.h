// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sweepd::runtime {

/// 16 letters and digits from 80 random bits of the system: unique, and not to be guessed. Any thread.
std::string make_match_id();

}  // namespace sweepd::runtime
