// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <bit>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sweepd::base {

static_assert(std::endian::native == std::endian::little, "digests are defined over little-endian words");

std::uint64_t hash_words(std::span<const std::uint64_t> words, std::uint64_t seed) {
  return XXH3_64bits_withSeed(words.data(), words.size_bytes(), seed);
}

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace sweepd::base
