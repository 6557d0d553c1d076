// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sweepd::base {

/// XXH3, 64 bits, over `words` as little-endian bytes. Stable: digests in replays depend on it.
std::uint64_t hash_words(std::span<const std::uint64_t> words, std::uint64_t seed);

/// The same over bytes.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 0);

/// A bijective scramble of one word (the finalizer of SplitMix64, Steele, Lea and Flood 2014). Sums of mixed
/// words make a hash that does not depend on the order of the terms. Stable: digests in replays depend on it.
constexpr std::uint64_t mix_word(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
  return word ^ (word >> 31);
}

}  // namespace sweepd::base
