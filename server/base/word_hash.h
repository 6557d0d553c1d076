// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sweepd::base {

/// `hash_words` of words that come one after the other: it takes the same memory however many they are.
class WordHash {
 public:
  /// Before the first word.
  void begin(std::uint64_t seed);

  void add(std::uint64_t word) {
    if (count_ == words_.size()) [[unlikely]]
      take_in();
    words_[count_++] = word;
  }
  void add(std::span<const std::uint64_t> words) {
    for (const std::uint64_t word : words) add(word);
  }

  /// Of all words since `begin`, which is to be called again before another.
  std::uint64_t finish();

 private:
  static constexpr std::size_t kStateBytes = 576;

  void take_in();

  std::array<std::uint64_t, 128> words_;  ///< Those that `state_` does not have yet.
  std::size_t count_ = 0;
  bool has_state_ = false;  ///< Most often all words fit: then it does without.
  std::uint64_t seed_ = 0;
  alignas(64) std::array<std::byte, kStateBytes> state_;
};

}  // namespace sweepd::base
