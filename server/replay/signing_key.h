// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace sweepd::replay {

/// Of Ed25519 (RFC 8032).
using Signature = std::array<std::uint8_t, 64>;

/// Tells whether a signature is its owner's. Ed25519.
struct PublicKey {
  std::array<std::uint8_t, 32> bytes = {};

  /// Whether `signature` was made over exactly `message` with the private key of this.
  bool verifies(std::string_view message, const Signature& signature) const;

  /// SubjectPublicKeyInfo, as `openssl pkey -pubout` writes it.
  std::string to_pem() const;
  /// Nothing where it is none of Ed25519.
  static std::optional<PublicKey> from_pem(std::string_view pem);

  friend bool operator==(const PublicKey&, const PublicKey&) = default;
};

/// Signs. Ed25519: the same key and message always give the same signature.
class SigningKey {
 public:
  static SigningKey generate();
  /// PKCS #8 without a password, as `openssl genpkey -algorithm ed25519` writes it. Nothing where it is none
  /// of Ed25519.
  static std::optional<SigningKey> from_pem(std::string_view pem);

  /// Secret: with it, any reader can sign.
  std::string to_pem() const;
  PublicKey public_key() const;
  Signature sign(std::string_view message) const;

 private:
  struct Free {
    void operator()(evp_pkey_st* key) const;
  };
  explicit SigningKey(evp_pkey_st* key) : key_(key) {}

  std::unique_ptr<evp_pkey_st, Free> key_;
};

}  // namespace sweepd::replay
