// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "match/config.h"
#include "replay/signing_key.h"
#include "replay/writer.h"

namespace sweepd::recordings {

struct ReplayOptions {
  std::string match_id = "match-of-a-test";
  std::string nonce = "0123456789abcdef";
  replay::WriterOptions writer = {.ticks_per_chunk = 16};
  const replay::SigningKey* key = nullptr;
  std::uint32_t key_frame_ticks = 0;  ///< Every so many ticks one. 0: none.
  bool has_snapshots = true;          ///< In the key frames; else they are of a version that nobody knows.
};

/// The replay file of a match that was recorded; its scores are found by playing it again.
std::string write_replay(const match::MatchConfig& config, const std::vector<replay::TickRecord>& records,
                         const ReplayOptions& options = {});

/// That of a random match of so many ticks and its end.
std::string random_replay(std::uint64_t seed, std::uint32_t ticks, const ReplayOptions& options = {});

/// One that takes about as long to verify as it takes to make: `time`.
std::string slow_replay(std::chrono::milliseconds time);

}  // namespace sweepd::recordings
