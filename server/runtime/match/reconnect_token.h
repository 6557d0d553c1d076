// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sweepd::runtime {

/// What is kept of a token, SHA-256: a reader of it cannot come back with it.
using TokenDigest = std::array<char, 32>;

/// Proves that a client which comes back is the one that left: 128 random bits.
class ReconnectToken {
 public:
  static ReconnectToken random();

  std::string bytes() const { return {bytes_.begin(), bytes_.end()}; }
  TokenDigest digest() const;

  /// Whether `given` is the token of that digest. Takes the same time wherever the first difference
  /// is, so that nothing can be learnt from it.
  static bool is_of(std::string_view given, const TokenDigest& digest);

 private:
  static constexpr std::size_t kBytes = 16;

  ReconnectToken() = default;
  std::array<char, kBytes> bytes_{};
};

}  // namespace sweepd::runtime
