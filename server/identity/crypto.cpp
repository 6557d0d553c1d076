// SPDX-License-Identifier: MIT
#include "identity/crypto.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/free_by.h"

namespace sweepd::identity {
namespace {

constexpr int kOk = 1;
constexpr std::size_t kCurveBytes = 32;  // Coordinates and numbers of P-256, and keys of Ed25519.
constexpr std::size_t kHmacBytes = 32;
constexpr std::size_t kRsaExponentBytesMax = 8;  // Larger exponents only slow verification down.
constexpr std::size_t kNewRsaBits = 3072;
constexpr std::size_t kNewHmacKeyBytes = 64;

constexpr std::pair<Algorithm, std::string_view> kAlgorithmNames[] = {
    {Algorithm::kHs256, "HS256"},
    {Algorithm::kRs256, "RS256"},
    {Algorithm::kEs256, "ES256"},
    {Algorithm::kEdDsa, "EdDSA"},
};

using base::FreeBy;
using Number = std::unique_ptr<BIGNUM, FreeBy<BN_clear_free>>;
using PkeyContext = std::unique_ptr<EVP_PKEY_CTX, FreeBy<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, FreeBy<EVP_MD_CTX_free>>;
using ParamBuilder = std::unique_ptr<OSSL_PARAM_BLD, FreeBy<OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, FreeBy<OSSL_PARAM_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, FreeBy<ECDSA_SIG_free>>;
using SharedKey = std::shared_ptr<EVP_PKEY>;

/// Clears OpenSSL's error queue: a leftover error would be taken for a later call's failure.
struct ErrorsCleared {
  ~ErrorsCleared() { ERR_clear_error(); }
};

SharedKey shared(EVP_PKEY* key) {
  return key == nullptr ? SharedKey() : SharedKey(key, [](EVP_PKEY* old) { EVP_PKEY_free(old); });
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

Number number_of(std::string_view bytes) {
  return Number(BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

/// Big-endian, padded with zeros to `size` bytes; size 0: the minimal length.
std::optional<std::string> bytes_of_number(const BIGNUM* number, std::size_t size) {
  if (number == nullptr) return std::nullopt;
  std::string bytes(size != 0 ? size : static_cast<std::size_t>(BN_num_bytes(number)), '\0');
  if (BN_bn2binpad(number, bytes_of(bytes), static_cast<int>(bytes.size())) < 0) return std::nullopt;
  return bytes;
}

/// A parameter of a key, as OpenSSL and as a JWK call it.
struct NumberRow {
  const char* param;
  std::string KeyNumbers::*bytes;
};

constexpr NumberRow kRsaRows[] = {
    {OSSL_PKEY_PARAM_RSA_N, &KeyNumbers::n},          {OSSL_PKEY_PARAM_RSA_E, &KeyNumbers::e},
    {OSSL_PKEY_PARAM_RSA_D, &KeyNumbers::d},          {OSSL_PKEY_PARAM_RSA_FACTOR1, &KeyNumbers::p},
    {OSSL_PKEY_PARAM_RSA_FACTOR2, &KeyNumbers::q},    {OSSL_PKEY_PARAM_RSA_EXPONENT1, &KeyNumbers::dp},
    {OSSL_PKEY_PARAM_RSA_EXPONENT2, &KeyNumbers::dq}, {OSSL_PKEY_PARAM_RSA_COEFFICIENT1, &KeyNumbers::qi},
};
constexpr NumberRow kEcRows[] = {
    {OSSL_PKEY_PARAM_EC_PUB_X, &KeyNumbers::x},
    {OSSL_PKEY_PARAM_EC_PUB_Y, &KeyNumbers::y},
    {OSSL_PKEY_PARAM_PRIV_KEY, &KeyNumbers::d},
};

SharedKey key_of_params(const char* type, OSSL_PARAM_BLD* builder, bool has_private) {
  const Params params(OSSL_PARAM_BLD_to_param(builder));
  const PkeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  if (params == nullptr || context == nullptr || EVP_PKEY_fromdata_init(context.get()) != kOk) return {};
  EVP_PKEY* key = nullptr;
  const int selection = has_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
  const bool is_made = EVP_PKEY_fromdata(context.get(), &key, selection, params.get()) == kOk;
  SharedKey made = shared(key);
  return is_made ? made : SharedKey();
}

bool is_rsa_exponent(std::string_view e) {
  const bool is_odd = !e.empty() && (static_cast<unsigned char>(e.back()) & 1) != 0;
  return is_odd && e.size() <= kRsaExponentBytesMax && e.find_first_not_of('\0') != std::string_view::npos &&
         !(e.find_first_not_of('\0') == e.size() - 1 && e.back() == 1);
}

SharedKey rsa_key(const KeyNumbers& numbers) {
  const bool has_private = !numbers.d.empty();
  if (numbers.n.size() > std::size_t{kRsaBitsMax} / 8 || !is_rsa_exponent(numbers.e)) return {};
  const ParamBuilder builder(OSSL_PARAM_BLD_new());
  // The builder keeps pointers to the numbers until the parameters are made.
  std::array<Number, std::size(kRsaRows)> held;
  if (builder == nullptr) return {};
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::string& bytes = numbers.*kRsaRows[i].bytes;
    if (bytes.size() > std::size_t{kRsaBitsMax} / 8 || bytes.empty() != (!has_private && i >= 2)) return {};
    if (bytes.empty()) continue;
    held[i] = number_of(bytes);
    if (held[i] == nullptr || !OSSL_PARAM_BLD_push_BN(builder.get(), kRsaRows[i].param, held[i].get()))
      return {};
  }
  SharedKey key = key_of_params("RSA", builder.get(), has_private);
  if (key == nullptr) return {};
  const int bits = EVP_PKEY_get_bits(key.get());
  return bits >= kRsaBitsMin && bits <= kRsaBitsMax ? key : SharedKey();
}

SharedKey ec_key(const KeyNumbers& numbers) {
  const bool has_private = !numbers.d.empty();
  if (numbers.x.size() != kCurveBytes || numbers.y.size() != kCurveBytes) return {};
  if (has_private && numbers.d.size() != kCurveBytes) return {};
  const std::string point = '\x04' + numbers.x + numbers.y;
  const Number secret = number_of(numbers.d);
  const ParamBuilder builder(OSSL_PARAM_BLD_new());
  if (builder == nullptr || secret == nullptr ||
      !OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) ||
      !OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size())) {
    return {};
  }
  if (has_private && !OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, secret.get()))
    return {};
  return key_of_params("EC", builder.get(), has_private);
}

SharedKey ed25519_key(const KeyNumbers& numbers) {
  if (numbers.x.size() != kCurveBytes) return {};
  if (numbers.d.empty()) {
    return shared(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(numbers.x), kCurveBytes));
  }
  if (numbers.d.size() != kCurveBytes) return {};
  SharedKey key =
      shared(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_of(numbers.d), kCurveBytes));
  std::string x(kCurveBytes, '\0');
  std::size_t size = x.size();
  const bool belongs =
      key != nullptr && EVP_PKEY_get_raw_public_key(key.get(), bytes_of(x), &size) == kOk && x == numbers.x;
  return belongs ? key : SharedKey();
}

SharedKey hmac_key(const KeyNumbers& numbers) {
  if (numbers.k.size() < kHmacKeyBytesMin || numbers.k.size() > kHmacKeyBytesMax) return {};
  return shared(EVP_PKEY_new_raw_private_key(EVP_PKEY_HMAC, nullptr, bytes_of(numbers.k), numbers.k.size()));
}

SharedKey key_of(Algorithm algorithm, const KeyNumbers& numbers) {
  switch (algorithm) {
    case Algorithm::kHs256:
      return hmac_key(numbers);
    case Algorithm::kRs256:
      return rsa_key(numbers);
    case Algorithm::kEs256:
      return ec_key(numbers);
    case Algorithm::kEdDsa:
      return ed25519_key(numbers);
  }
  return {};
}

/// Ed25519 hashes by itself.
const EVP_MD* digest_of(Algorithm algorithm) {
  return algorithm == Algorithm::kEdDsa ? nullptr : EVP_sha256();
}

/// r||s in DER, the form that OpenSSL verifies.
std::optional<std::string> der_of(std::string_view raw) {
  if (raw.size() != 2 * kCurveBytes) return std::nullopt;
  Number r = number_of(raw.substr(0, kCurveBytes));
  Number s = number_of(raw.substr(kCurveBytes));
  const EcSignature signature(ECDSA_SIG_new());
  if (r == nullptr || s == nullptr || signature == nullptr) return std::nullopt;
  if (ECDSA_SIG_set0(signature.get(), r.get(), s.get()) != kOk) return std::nullopt;
  r.release();
  s.release();
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(signature.get(), &der);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owner(
      der, [](unsigned char* bytes) { OPENSSL_free(bytes); });
  if (size <= 0) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
}

std::optional<std::string> raw_of(std::string_view der) {
  const unsigned char* at = bytes_of(der);
  const EcSignature signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (signature == nullptr) return std::nullopt;
  const auto r = bytes_of_number(ECDSA_SIG_get0_r(signature.get()), kCurveBytes);
  const auto s = bytes_of_number(ECDSA_SIG_get0_s(signature.get()), kCurveBytes);
  if (!r || !s) return std::nullopt;
  return *r + *s;
}

/// In OpenSSL's form: ES256 in DER.
std::optional<std::string> signature_of(EVP_PKEY* key, const EVP_MD* digest, std::string_view message) {
  const DigestContext context(EVP_MD_CTX_new());
  if (context == nullptr || EVP_DigestSignInit(context.get(), nullptr, digest, nullptr, key) != kOk) {
    return std::nullopt;
  }
  std::size_t size = 0;
  if (EVP_DigestSign(context.get(), nullptr, &size, bytes_of(message), message.size()) != kOk)
    return std::nullopt;
  std::string signature(size, '\0');
  if (EVP_DigestSign(context.get(), bytes_of(signature), &size, bytes_of(message), message.size()) != kOk) {
    return std::nullopt;
  }
  signature.resize(size);
  return signature;
}

bool take_numbers(EVP_PKEY* key, const NumberRow* rows, std::size_t count, std::size_t size,
                  KeyNumbers& numbers) {
  for (std::size_t i = 0; i < count; ++i) {
    BIGNUM* raw = nullptr;
    if (EVP_PKEY_get_bn_param(key, rows[i].param, &raw) != kOk) return false;
    const Number number(raw);
    const auto bytes = bytes_of_number(number.get(), size);
    if (!bytes) return false;
    numbers.*rows[i].bytes = *bytes;
  }
  return true;
}

bool take_ed25519(EVP_PKEY* key, KeyNumbers& numbers) {
  numbers.x.resize(kCurveBytes);
  numbers.d.resize(kCurveBytes);
  std::size_t x_size = kCurveBytes;
  std::size_t d_size = kCurveBytes;
  return EVP_PKEY_get_raw_public_key(key, bytes_of(numbers.x), &x_size) == kOk &&
         EVP_PKEY_get_raw_private_key(key, bytes_of(numbers.d), &d_size) == kOk;
}

SharedKey new_key(Algorithm algorithm) {
  if (algorithm == Algorithm::kRs256) return shared(EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", kNewRsaBits));
  if (algorithm == Algorithm::kEs256) return shared(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  return shared(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
}

}  // namespace

std::optional<Algorithm> algorithm_named(std::string_view name) {
  for (const auto& [algorithm, known] : kAlgorithmNames) {
    if (known == name) return algorithm;
  }
  return std::nullopt;
}

std::string_view name_of(Algorithm algorithm) {
  for (const auto& [known, name] : kAlgorithmNames) {
    if (known == algorithm) return name;
  }
  return {};
}

std::optional<Key> Key::from(Algorithm algorithm, const KeyNumbers& numbers) {
  const ErrorsCleared cleared;
  SharedKey made = key_of(algorithm, numbers);
  if (made == nullptr) return std::nullopt;
  Key key(algorithm, std::move(made));
  if (!is_private(numbers)) return key;
  // Private numbers of another key would make signatures that do not verify.
  const auto probe = key.sign("probe");
  if (!probe || !key.verifies("probe", *probe)) return std::nullopt;
  return key;
}

bool Key::verifies(std::string_view message, std::string_view signature) const {
  const ErrorsCleared cleared;
  if (algorithm_ == Algorithm::kHs256) {
    const auto expected = signature_of(key_.get(), digest_of(algorithm_), message);
    return expected && expected->size() == kHmacBytes && equal_in_constant_time(*expected, signature);
  }
  const auto der = algorithm_ == Algorithm::kEs256 ? der_of(signature) : std::string(signature);
  const DigestContext context(EVP_MD_CTX_new());
  if (!der || context == nullptr) return false;
  if (EVP_DigestVerifyInit(context.get(), nullptr, digest_of(algorithm_), nullptr, key_.get()) != kOk)
    return false;
  return EVP_DigestVerify(context.get(), bytes_of(std::string_view(*der)), der->size(), bytes_of(message),
                          message.size()) == kOk;
}

std::optional<std::string> Key::sign(std::string_view message) const {
  const ErrorsCleared cleared;
  const auto signature = signature_of(key_.get(), digest_of(algorithm_), message);
  if (!signature || algorithm_ != Algorithm::kEs256) return signature;
  return raw_of(*signature);
}

std::optional<KeyNumbers> generate_key(Algorithm algorithm) {
  const ErrorsCleared cleared;
  KeyNumbers numbers;
  if (algorithm == Algorithm::kHs256) {
    const auto bytes = random_bytes(kNewHmacKeyBytes);
    if (!bytes) return std::nullopt;
    numbers.k = *bytes;
    return numbers;
  }
  const SharedKey key = new_key(algorithm);
  if (key == nullptr) return std::nullopt;
  const bool is_taken = algorithm == Algorithm::kRs256
                            ? take_numbers(key.get(), kRsaRows, std::size(kRsaRows), 0, numbers)
                        : algorithm == Algorithm::kEs256
                            ? take_numbers(key.get(), kEcRows, std::size(kEcRows), kCurveBytes, numbers)
                            : take_ed25519(key.get(), numbers);
  if (!is_taken) return std::nullopt;
  return numbers;
}

bool is_private(const KeyNumbers& numbers) {
  return std::any_of(kKeyNumberRows.begin(), kKeyNumberRows.end(), [&](const KeyNumberRow& row) {
    return row.is_private && !(numbers.*row.bytes).empty();
  });
}

KeyNumbers public_half(const KeyNumbers& numbers) {
  KeyNumbers half = numbers;
  for (const KeyNumberRow& row : kKeyNumberRows) {
    if (row.is_private) (half.*row.bytes).clear();
  }
  return half;
}

std::optional<std::string> sha256(std::string_view bytes) {
  const ErrorsCleared cleared;
  std::string digest(32, '\0');
  if (EVP_Digest(bytes.data(), bytes.size(), bytes_of(digest), nullptr, EVP_sha256(), nullptr) != kOk) {
    return std::nullopt;
  }
  return digest;
}

std::optional<std::string> random_bytes(std::size_t count) {
  const ErrorsCleared cleared;
  std::string bytes(count, '\0');
  if (RAND_bytes(bytes_of(bytes), static_cast<int>(count)) != kOk) return std::nullopt;
  return bytes;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace sweepd::identity
