// SPDX-License-Identifier: MIT
#include "replay/sha256.h"

#include <openssl/evp.h>

#include <memory>

#include "base/assert.h"

namespace sweepd::replay {

std::string sha256(std::initializer_list<std::string_view> pieces) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const int begun = EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  SWEEPD_ASSERT(context != nullptr && begun == 1);
  for (const std::string_view piece : pieces) {
    const int updated = EVP_DigestUpdate(context.get(), piece.data(), piece.size());
    SWEEPD_ASSERT(updated == 1);
  }
  std::string digest(kSha256Bytes, '\0');
  const int finished =
      EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char*>(digest.data()), nullptr);
  SWEEPD_ASSERT(finished == 1);
  return digest;
}

}  // namespace sweepd::replay
