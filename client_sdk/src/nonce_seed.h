// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace sweepd::internal {

/// The seed of an input log that has a nonce: the first 8 bytes of the nonce's SHA-256, little-endian.
std::uint64_t seed_of(const std::string& nonce);

}  // namespace sweepd::internal
