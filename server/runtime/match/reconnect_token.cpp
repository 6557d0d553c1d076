// SPDX-License-Identifier: MIT
#include "runtime/match/reconnect_token.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "base/assert.h"
#include "replay/sha256.h"
#include "runtime/random_bytes.h"

namespace sweepd::runtime {
namespace {

TokenDigest digest_of(std::string_view token, const BudgetKey& owner) {
  const std::string sum = replay::sha256({token, owner.text()});
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

TokenDigest ReconnectToken::digest(const BudgetKey& owner) const {
  return digest_of({bytes_.data(), bytes_.size()}, owner);
}

bool ReconnectToken::is_of(std::string_view given, const TokenDigest& digest, const BudgetKey& owner) {
  // A shorter token must not make up for it with the beginning of its owner.
  if (given.size() != kBytes) return false;
  const TokenDigest found = digest_of(given, owner);
  return CRYPTO_memcmp(found.data(), digest.data(), digest.size()) == 0;
}

}  // namespace sweepd::runtime
