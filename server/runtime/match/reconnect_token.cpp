// SPDX-License-Identifier: MIT
#include "runtime/match/reconnect_token.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "base/assert.h"
#include "replay/sha256.h"
#include "runtime/random_bytes.h"

namespace sweepd::runtime {
namespace {

TokenDigest digest_of(std::string_view token) {
  const std::string sum = replay::sha256({token});
  TokenDigest digest{};
  SWEEPD_ASSERT(sum.size() == digest.size());
  std::ranges::copy(sum, digest.begin());
  return digest;
}

}  // namespace

ReconnectToken ReconnectToken::random() {
  ReconnectToken token;
  fill_with_random_bytes(token.bytes_.data(), token.bytes_.size());
  return token;
}

TokenDigest ReconnectToken::digest() const { return digest_of({bytes_.data(), bytes_.size()}); }

bool ReconnectToken::is_of(std::string_view given, const TokenDigest& digest) {
  if (given.size() != kBytes) return false;
  const TokenDigest found = digest_of(given);
  return CRYPTO_memcmp(found.data(), digest.data(), digest.size()) == 0;
}

}  // namespace sweepd::runtime
