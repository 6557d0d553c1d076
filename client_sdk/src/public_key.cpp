// SPDX-License-Identifier: MIT
#include "public_key.h"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <memory>

#include "pem.h"

namespace sweepd {
namespace {

constexpr int kOk = 1;
constexpr const char* kPemStart = "-----BEGIN PUBLIC KEY-----";

using internal::Bio;
using internal::FreeBy;
using internal::Key;
using Context = std::unique_ptr<EVP_MD_CTX, FreeBy<EVP_MD_CTX_free>>;

Key key_of(const PublicKey& key) {
  return Key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.bytes.data(), key.bytes.size()));
}

/// What a failed attempt leaves in OpenSSL's queue would be taken for the failure of a later call, of gRPC's,
/// say.
struct ErrorsCleared {
  ~ErrorsCleared() { ERR_clear_error(); }
};

}  // namespace

std::string PublicKey::to_pem() const {
  const ErrorsCleared cleared;
  const Key key = key_of(*this);
  const Bio bio(BIO_new(BIO_s_mem()));
  if (key == nullptr || bio == nullptr || PEM_write_bio_PUBKEY(bio.get(), key.get()) != kOk) return {};
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

Result<PublicKey> PublicKey::from_pem(const std::string& pem) {
  const ErrorsCleared cleared;
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const Key key(bio == nullptr ? nullptr
                               : PEM_read_bio_PUBKEY(bio.get(), nullptr, internal::no_password, nullptr));
  PublicKey public_key;
  std::size_t size = public_key.bytes.size();
  const bool has_several = pem.find(kPemStart) != pem.rfind(kPemStart);
  if (has_several || key == nullptr || EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519 ||
      EVP_PKEY_get_raw_public_key(key.get(), public_key.bytes.data(), &size) != kOk) {
    return Status(ErrorCode::kInvalidArgument, "pem is no public key of Ed25519 in PEM, or has several", {},
                  "pem");
  }
  return public_key;
}

namespace internal {

bool verifies(const PublicKey& key, const std::string& message, const std::string& signature) {
  const ErrorsCleared cleared;
  const Key owner = key_of(key);
  const Context context(EVP_MD_CTX_new());
  if (owner == nullptr || context == nullptr) return false;
  if (EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, owner.get()) != kOk) return false;
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  };
  return EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(message),
                          message.size()) == kOk;
}

}  // namespace internal
}  // namespace sweepd
