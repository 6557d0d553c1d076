// SPDX-License-Identifier: MIT
#include "replay/signing_key.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "base/assert.h"
#include "base/free_by.h"

namespace sweepd::replay {
namespace {

constexpr std::string_view kPemStart = "-----BEGIN PUBLIC KEY-----";
constexpr int kOk = 1;

using base::FreeBy;
using Bio = std::unique_ptr<BIO, FreeBy<BIO_free>>;
using Key = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, FreeBy<EVP_MD_CTX_free>>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Bio bio_of(std::string_view text) {
  Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  SWEEPD_ASSERT(bio != nullptr);
  return bio;
}

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

Key ed25519_only(EVP_PKEY* raw) {
  Key key(raw);
  // What a failed attempt leaves in OpenSSL's queue would be taken for the failure of a later call.
  ERR_clear_error();
  if (key != nullptr && EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519) key.reset();
  return key;
}

/// Never asks at the terminal: a key with a password is none that we can read.
int no_password(char*, int, int, void*) { return -1; }

}  // namespace

void SigningKey::Free::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }

bool PublicKey::verifies(std::string_view message, const Signature& signature) const {
  const Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes.data(), bytes.size()));
  const Context context(EVP_MD_CTX_new());
  SWEEPD_ASSERT(key != nullptr && context != nullptr);
  if (EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) != kOk) return false;
  const bool is_right = EVP_DigestVerify(context.get(), signature.data(), signature.size(), bytes_of(message),
                                         message.size()) == kOk;
  ERR_clear_error();
  return is_right;
}

std::string PublicKey::to_pem() const {
  const Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes.data(), bytes.size()));
  const Bio bio(BIO_new(BIO_s_mem()));
  SWEEPD_ASSERT(key != nullptr && bio != nullptr);
  const int written = PEM_write_bio_PUBKEY(bio.get(), key.get());
  SWEEPD_ASSERT(written == kOk);
  return text_of(bio.get());
}

std::optional<PublicKey> PublicKey::from_pem(std::string_view pem) {
  if (pem.find(kPemStart) != pem.rfind(kPemStart)) return std::nullopt;  // Two keys are ambiguous.
  const Bio bio = bio_of(pem);
  const Key key = ed25519_only(PEM_read_bio_PUBKEY(bio.get(), nullptr, no_password, nullptr));
  if (key == nullptr) return std::nullopt;
  PublicKey public_key;
  std::size_t size = public_key.bytes.size();
  if (EVP_PKEY_get_raw_public_key(key.get(), public_key.bytes.data(), &size) != kOk) return std::nullopt;
  return public_key;
}

SigningKey SigningKey::generate() {
  EVP_PKEY* key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  SWEEPD_ASSERT(key != nullptr);
  return SigningKey(key);
}

std::optional<SigningKey> SigningKey::from_pem(std::string_view pem) {
  const Bio bio = bio_of(pem);
  Key key = ed25519_only(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  if (key == nullptr) return std::nullopt;
  return SigningKey(key.release());
}

std::string SigningKey::to_pem() const {
  const Bio bio(BIO_new(BIO_s_mem()));
  SWEEPD_ASSERT(bio != nullptr);
  const int written =
      PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
  SWEEPD_ASSERT(written == kOk);
  return text_of(bio.get());
}

PublicKey SigningKey::public_key() const {
  PublicKey public_key;
  std::size_t size = public_key.bytes.size();
  const int got = EVP_PKEY_get_raw_public_key(key_.get(), public_key.bytes.data(), &size);
  SWEEPD_ASSERT(got == kOk && size == public_key.bytes.size());
  return public_key;
}

Signature SigningKey::sign(std::string_view message) const {
  const Context context(EVP_MD_CTX_new());
  SWEEPD_ASSERT(context != nullptr);
  const int begun = EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get());
  Signature signature{};
  std::size_t size = signature.size();
  const int done = EVP_DigestSign(context.get(), signature.data(), &size, bytes_of(message), message.size());
  SWEEPD_ASSERT(begun == kOk && done == kOk && size == signature.size());
  return signature;
}

}  // namespace sweepd::replay
