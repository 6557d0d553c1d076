// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace sweepd::replay {

/// Records as a replay has them, each behind its length, as a whole file: with the sums and links that it
/// should have. Mutations of whole files mostly end at a sum that is wrong.
std::string sealed_replay(std::string_view records);

}  // namespace sweepd::replay
