// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sweepd/replays.h"

namespace sweepd::internal {

/// Whether `signature` was made over exactly `message` with the private key of `key`.
bool verifies(const PublicKey& key, const std::string& message, const std::string& signature);

}  // namespace sweepd::internal
