// SPDX-License-Identifier: MIT
#include "base/word_hash.h"

#include <new>

#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sweepd::base {

void WordHash::begin(std::uint64_t seed) {
  seed_ = seed;
  count_ = 0;
  has_state_ = false;
}

void WordHash::take_in() {
  static_assert(sizeof(XXH3_state_t) <= kStateBytes && alignof(XXH3_state_t) <= 64);
  auto* state = reinterpret_cast<XXH3_state_t*>(state_.data());
  if (!has_state_) {
    state = new (state_.data()) XXH3_state_t;
    XXH3_INITSTATE(state);
    XXH3_64bits_reset_withSeed(state, seed_);
    has_state_ = true;
  }
  XXH3_64bits_update(state, words_.data(), count_ * sizeof(std::uint64_t));
  count_ = 0;
}

std::uint64_t WordHash::finish() {
  if (!has_state_) return hash_words(std::span(words_).first(count_), seed_);
  take_in();
  return XXH3_64bits_digest(reinterpret_cast<const XXH3_state_t*>(state_.data()));
}

}  // namespace sweepd::base
