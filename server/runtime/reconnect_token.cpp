// SPDX-License-Identifier: MIT
#include "runtime/reconnect_token.h"

#include <openssl/crypto.h>

#include "runtime/random_bytes.h"

namespace sweepd::runtime {

ReconnectToken ReconnectToken::random() {
  ReconnectToken token;
  fill_with_random_bytes(token.bytes_.data(), token.bytes_.size());
  return token;
}

bool ReconnectToken::equals(std::string_view given) const {
  return given.size() == bytes_.size() && CRYPTO_memcmp(given.data(), bytes_.data(), bytes_.size()) == 0;
}

}  // namespace sweepd::runtime
