// SPDX-License-Identifier: MIT
#include "replay/engine_version.h"

namespace sweepd::replay {

std::string_view engine_version() { return SWEEPD_VERSION; }

}  // namespace sweepd::replay
