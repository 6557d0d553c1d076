// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "identity/jwk.h"
#include "identity/strict_json.h"

namespace sweepd::identity {

/// The key that a JSON object describes. To verify: without private members, but for the key of HS256. To
/// sign: with them.
base::Result<Jwk, KeyFault> read_jwk(const Json& object, KeyUse use);

/// With the private numbers where `jwk` has them.
Json json_of(const Jwk& jwk);

/// `kid` and what else a message may say of it.
std::string quoted_name(const std::string& name);

}  // namespace sweepd::identity
