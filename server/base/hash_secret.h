// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace sweepd::base {

namespace internal {
inline std::uint64_t hash_secret = 0;
}

/// A secret of the process that salts hashes: clients cannot choose keys that collide in a table. To be set
/// once, when the process begins, before there is any table or thread; 0 until then. Nothing that is told,
/// saved or compared may depend on it.
inline void set_hash_secret(std::uint64_t secret) { internal::hash_secret = secret; }

/// mix_word for the place in a table of a key that others have chosen.
inline std::uint64_t mix_secretly(std::uint64_t key) { return mix_word(key + internal::hash_secret); }

/// The same for tables of the standard library: its own hash of a number is the number, and that of a text
/// has a seed that is known.
struct SecretHash {
  std::size_t operator()(std::uint64_t key) const { return mix_secretly(key); }
  std::size_t operator()(std::string_view key) const { return hash_bytes(key, mix_secretly(0)); }
};

}  // namespace sweepd::base
