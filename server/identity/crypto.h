// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace sweepd::identity {

// All cryptography of tickets, on OpenSSL 3. A failure of OpenSSL is a refusal: no function here asserts or
// throws, and each leaves OpenSSL's error queue empty.

/// Of JWS signatures (RFC 7518, RFC 8037).
enum class Algorithm { kHs256, kRs256, kEs256, kEdDsa };

/// By its name in `alg`, which is case-sensitive. "none" is no algorithm.
std::optional<Algorithm> algorithm_named(std::string_view name);
std::string_view name_of(Algorithm algorithm);

/// The numbers of a key as bytes, named as in a JWK. Empty: absent.
struct KeyNumbers {
  std::string k = {};
  std::string n = {}, e = {};
  std::string x = {}, y = {};
  std::string d = {}, p = {}, q = {}, dp = {}, dq = {}, qi = {};
};

struct KeyNumberRow {
  const char* name;
  std::string KeyNumbers::*bytes;
  bool is_private;  ///< Allows signing; never part of a public key.
};

/// Every number that a JWK of these algorithms can have.
inline constexpr std::array<KeyNumberRow, 11> kKeyNumberRows = {{
    {"k", &KeyNumbers::k, true},
    {"n", &KeyNumbers::n, false},
    {"e", &KeyNumbers::e, false},
    {"x", &KeyNumbers::x, false},
    {"y", &KeyNumbers::y, false},
    {"d", &KeyNumbers::d, true},
    {"p", &KeyNumbers::p, true},
    {"q", &KeyNumbers::q, true},
    {"dp", &KeyNumbers::dp, true},
    {"dq", &KeyNumbers::dq, true},
    {"qi", &KeyNumbers::qi, true},
}};

inline constexpr std::size_t kHmacKeyBytesMin = 32;
inline constexpr std::size_t kHmacKeyBytesMax = 1024;
inline constexpr int kRsaBitsMin = 2048;
inline constexpr int kRsaBitsMax = 8192;

/// A key that verifies, and signs if it has its private numbers. Threads may share it.
class Key {
 public:
  /// Nothing if the numbers are no key of the algorithm, or private and public numbers do not match.
  static std::optional<Key> from(Algorithm algorithm, const KeyNumbers& numbers);

  /// Whether `signature` is one of `message` by this key. Signatures of ES256 are r||s, 64 bytes.
  bool verifies(std::string_view message, std::string_view signature) const;
  std::optional<std::string> sign(std::string_view message) const;
  Algorithm algorithm() const { return algorithm_; }

 private:
  Key(Algorithm algorithm, std::shared_ptr<evp_pkey_st> key) : algorithm_(algorithm), key_(std::move(key)) {}

  Algorithm algorithm_;
  std::shared_ptr<evp_pkey_st> key_;
};

/// Private and public numbers of a new key.
std::optional<KeyNumbers> generate_key(Algorithm algorithm);

/// Whether any private number is present. The key of HS256 is one.
bool is_private(const KeyNumbers& numbers);
KeyNumbers public_half(const KeyNumbers& numbers);

std::optional<std::string> sha256(std::string_view bytes);
std::optional<std::string> random_bytes(std::size_t count);
/// The time depends on the lengths only.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace sweepd::identity
