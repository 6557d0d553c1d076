// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "property/random.h"
#include "recordings/forgery.h"
#include "replay/verification.h"

namespace sweepd::replay {

/// What a mutation did, and what may be said of it.
struct Expectation {
  std::string done;
  std::vector<ReplayVerdict> verdicts;
  Tick first_tick = 0;  ///< DIVERGED: not before this.
  Tick last_tick = 0;   ///< And not after this; 0: wherever.
};

/// One of the things that may be done to a replay, by chance or by somebody who knows the format.
class Mutation {
 public:
  Mutation(const std::string& whole, const std::string& other, std::uint64_t seed)
      : random_(seed), bytes_(whole), other_(other) {}

  /// 0 up to kKinds: each kind once or twice, and then single bits.
  static constexpr std::size_t kKinds = 26;
  Expectation mutate(std::size_t kind);
  const std::string& bytes() const { return bytes_; }

 private:
  Expectation flip_bit();
  Expectation cut_off();
  Expectation remove_bytes();
  Expectation insert_bytes();
  Expectation drop_chunk(bool is_relinked);
  Expectation splice_chunk();
  Expectation swap_chunks();
  Expectation edit_score();
  Expectation edit_signature();
  Expectation edit_digest();
  Expectation edit_move();
  Expectation drop_frame();
  Expectation drop_tick();
  Expectation flip_key_frame_bit(bool is_consistent);
  Expectation swap_key_frame();
  Expectation forge_key_frame();

  std::size_t any_chunk(const recordings::Forgery& forgery) {
    const auto chunks = forgery.chunks();
    return chunks[random_.index(chunks.size())];
  }
  std::size_t any_key_frame(const recordings::Forgery& forgery) {
    const auto key_frames = forgery.key_frames();
    return key_frames[random_.index(key_frames.size())];
  }
  void put(recordings::Forgery& forgery, bool is_consistent) {
    if (is_consistent) forgery.make_consistent();
    bytes_ = forgery.bytes();
  }

  property::Random random_;
  std::string bytes_;
  const std::string& other_;
};

}  // namespace sweepd::replay
