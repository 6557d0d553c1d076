// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "replay/ending.h"

namespace sweepd::runtime {

/// From where a match can be gone on with, without what came before.
struct MatchKeyFrame {
  match::Tick tick = 0;
  std::uint64_t digest = 0;                         ///< Of the match after that tick.
  replay::Cast cast = {};                           ///< The participants up to there.
  std::string snapshot = {};                        ///< Match::save.
  std::uint32_t version = match::kSnapshotVersion;  ///< Of that.
  std::int64_t unix_ms = 0;                         ///< When the tick ran; 0: not known.
};

std::string encode(const MatchKeyFrame& key_frame);
std::optional<MatchKeyFrame> decode_key_frame(std::string_view bytes);

}  // namespace sweepd::runtime
