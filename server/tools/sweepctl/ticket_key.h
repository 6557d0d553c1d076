// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "identity/jwk.h"
#include "sweepd/status.h"

namespace sweepd::tools {

/// Reads a private key that signs tickets. A file that others than its owner may read or write is refused.
/// The error does not name the file.
Result<identity::Jwk> read_ticket_key(const std::string& path);

}  // namespace sweepd::tools
