// SPDX-License-Identifier: MIT
#pragma once

#include "match/config.h"
#include "sweepd/status.h"
#include "sweepd/types.h"

namespace sweepd::tools {

/// What a server of this version would say to a match with this config, limits of the server itself (how many
/// matches it may have) aside. The field of an error begins with "config.".
Status check_config(const MatchConfig& config);

/// The config as a server decodes it; or the same status.
Result<match::MatchConfig> checked_config(const MatchConfig& config);

}  // namespace sweepd::tools
