// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "identity/jwk.h"
#include "identity/strict_json.h"

namespace sweepd::identity {

/// Reads a key from a JSON object. A key that verifies must not have private members, except for HS256; a key
/// that signs must have them.
base::Result<Jwk, KeyFault> read_jwk(const Json& object, KeyUse use);

/// Includes the private numbers that `jwk` has.
Json json_of(const Jwk& jwk);

/// A name in quotes, escaped for messages.
std::string quoted_name(const std::string& name);

}  // namespace sweepd::identity
