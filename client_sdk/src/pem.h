// SPDX-License-Identifier: MIT
#pragma once

#include <openssl/bio.h>
#include <openssl/pem.h>

#include <memory>
#include <string_view>

namespace sweepd::internal {

template <auto kFree>
struct FreeBy {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Bio = std::unique_ptr<BIO, FreeBy<BIO_free>>;
using Certificate = std::unique_ptr<X509, FreeBy<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;

inline Bio bio_of(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

/// Never asks at the terminal: a key with a password is none that we can read.
inline int no_password(char* /*to*/, int /*size*/, int /*is_for_writing*/, void* /*data*/) { return -1; }

}  // namespace sweepd::internal
