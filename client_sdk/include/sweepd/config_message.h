// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sweepd/status.h"
#include "sweepd/types.h"

namespace sweepd {

/// The config as the message sweepd.v1.MatchConfig of the public contract, serialized: what
/// Client::create_match sends. For programs that check, store or send it by means of their own.
/// kInvalidArgument: a value that no message can carry, as for create_match; the field begins with "config.".
Result<std::string> config_message(const MatchConfig& config);

}  // namespace sweepd
