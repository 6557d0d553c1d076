// SPDX-License-Identifier: MIT
#include "runtime/match/match_id.h"

#include <sys/random.h>

#include <array>
#include <cstdint>

#include "base/assert.h"
#include "runtime/random_bytes.h"

namespace sweepd::runtime {
namespace {

constexpr std::size_t kCharacters = 16;
constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";

}  // namespace

MatchId random_match_id() {
  // A byte per character, of which five bits are used: nothing is gained by packing them.
  std::array<std::uint8_t, kCharacters> bytes{};
  const auto received = getrandom(bytes.data(), bytes.size(), 0);
  SWEEPD_ASSERT(received == static_cast<ssize_t>(bytes.size()));  // Holds for up to 256 bytes.
  MatchId id;
  for (const std::uint8_t byte : bytes) id += kAlphabet[byte & 31];
  return id;
}

bool is_match_id(std::string_view text) {
  return text.size() == kCharacters && text.find_first_not_of(kAlphabet) == std::string_view::npos;
}

std::uint64_t random_seed() {
  std::uint64_t seed = 0;
  while (seed == 0) {
    const auto received = getrandom(&seed, sizeof seed, 0);
    SWEEPD_ASSERT(received == static_cast<ssize_t>(sizeof seed));
  }
  return seed;
}

std::string random_nonce() {
  std::string nonce(16, '\0');
  fill_with_random_bytes(nonce.data(), nonce.size());
  return nonce;
}

}  // namespace sweepd::runtime
