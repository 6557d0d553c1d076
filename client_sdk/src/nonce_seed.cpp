// SPDX-License-Identifier: MIT
#include "nonce_seed.h"

#include <openssl/sha.h>

#include <array>

namespace sweepd::internal {

std::uint64_t seed_of(const std::string& nonce) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(nonce.data()), nonce.size(), digest.data());
  std::uint64_t seed = 0;
  for (std::size_t i = sizeof seed; i-- > 0;) seed = seed << 8 | digest[i];
  return seed;
}

}  // namespace sweepd::internal
