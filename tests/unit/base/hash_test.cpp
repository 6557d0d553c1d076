// SPDX-License-Identifier: MIT
// Protects the hashes that digests in recorded matches are made of: their values must never change.

#include "base/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/hash_secret.h"
#include "base/word_hash.h"

namespace sweepd::base::hash_test {
namespace {

TEST(MixWord, HasItsGoldenValues) {
  EXPECT_EQ(mix_word(0), 0u);
  EXPECT_EQ(mix_word(1), 0x5692161d100b05e5u);
  EXPECT_EQ(mix_word(0x9e3779b97f4a7c15u), 0xe220a8397b1dcdafu);
  EXPECT_EQ(mix_word(~0ull), 0xb4d055fcf2cbbd7bu);
}

TEST(MixWord, KeepsNeighboursApart) {
  std::set<std::uint64_t> mixed;
  for (std::uint64_t word = 0; word < 10000; ++word) mixed.insert(mix_word(word));
  EXPECT_EQ(mixed.size(), 10000u);
}

TEST(MixSecretly, KeysThatFallTogetherAreOnlyKnownToWhoKnowsTheSecret) {
  std::vector<std::uint64_t> keys;  // Of one place in a table of 1024, as anybody can find them.
  for (std::uint64_t key = 0; keys.size() < 512; ++key) {
    EXPECT_EQ(mix_secretly(key), mix_word(key)) << "there is no secret yet";
    if (mix_secretly(key) % 1024 == 7) keys.push_back(key);
  }
  set_hash_secret(0x0123456789abcdef);
  std::set<std::uint64_t> places;
  for (const std::uint64_t key : keys) places.insert(mix_secretly(key) % 1024);
  set_hash_secret(0);
  EXPECT_GT(places.size(), 350u) << "512 at random take about 403";
}

TEST(SecretHash, TextsThatFallTogetherAreOnlyKnownToWhoKnowsTheSecret) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; texts.size() < 512; ++i) {
    if (SecretHash()(std::to_string(i)) % 1024 == 7) texts.push_back(std::to_string(i));
  }
  set_hash_secret(0x0123456789abcdef);
  std::set<std::uint64_t> places;
  for (const std::string& text : texts) places.insert(SecretHash()(text) % 1024);
  set_hash_secret(0);
  EXPECT_GT(places.size(), 350u) << "512 at random take about 403";
}

TEST(HashWords, HasItsGoldenValues) {
  const std::array<std::uint64_t, 3> words{1, 2, 3};
  EXPECT_EQ(hash_words({}, 0), 0x2d06800538d394c2u);  // XXH3 of nothing, as published.
  EXPECT_EQ(hash_words(words, 0), 8964613590703056768u);
  EXPECT_EQ(hash_words(words, 42), 4633072452215901499u);
}

TEST(HashWords, DependsOnOrderLengthAndSeed) {
  const std::array<std::uint64_t, 2> ab{1, 2};
  const std::array<std::uint64_t, 2> ba{2, 1};
  const std::array<std::uint64_t, 3> longer{1, 2, 0};
  EXPECT_NE(hash_words(ab, 0), hash_words(ba, 0));
  EXPECT_NE(hash_words(ab, 0), hash_words(longer, 0));
  EXPECT_NE(hash_words(ab, 0), hash_words(ab, 1));
}

TEST(WordHash, IsTheHashOfAllItsWordsHoweverManyTheyAre) {
  WordHash hash;
  for (const std::size_t count : {0, 1, 3, 127, 128, 129, 256, 257, 1000, 5000}) {
    std::vector<std::uint64_t> words(count);
    std::iota(words.begin(), words.end(), 7);
    for (const std::uint64_t seed : {0, 42}) {
      hash.begin(seed);
      hash.add(words);
      EXPECT_EQ(hash.finish(), hash_words(words, seed)) << count << " words, seed " << seed;
    }
  }
}

TEST(WordHash, ForgetsWhatWasBegunBefore) {
  WordHash hash;
  hash.begin(1);
  for (std::uint64_t word = 0; word < 1000; ++word) hash.add(word);
  hash.begin(42);
  hash.add(std::array<std::uint64_t, 3>{1, 2, 3});
  EXPECT_EQ(hash.finish(), 4633072452215901499u);
}

}  // namespace
}  // namespace sweepd::base::hash_test
