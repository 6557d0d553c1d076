// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "identity/jwk.h"
#include "sweepd/status.h"

namespace sweepd::tools {

/// A private key that signs tickets. One that others than its owner may read or write is refused. The error
/// is without the name of the file.
Result<identity::Jwk> read_ticket_key(const std::string& path);

}  // namespace sweepd::tools
