// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace sweepd::replay {

/// Of this build: "0.1.0".
std::string_view engine_version();

}  // namespace sweepd::replay
