// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "replay/reader.h"

namespace sweepd::replay {

/// How one participant's frames came, by the records of its replay: so the link of these, and with it a
/// receipt of version 2, vouches for all of it. A program plays with one delay and one gap; people do not.
struct FramePace {
  /// Least values of the buckets of `delays`; the last has no end.
  static constexpr std::array<std::uint32_t, 8> kDelayBuckets = {0, 1, 2, 3, 4, 6, 10, 20};
  /// The same of `gaps`.
  static constexpr std::array<std::uint32_t, 5> kGapBuckets = {0, 1, 2, 3, 10};

  match::ParticipantNumber number = 0;
  std::string name = {};
  std::uint64_t frames = 0;
  std::uint64_t late = 0;                                       ///< They name a tick that had run.
  std::uint64_t early = 0;                                      ///< They name a later tick than the next.
  std::uint64_t bunched = 0;                                    ///< They came in the same tick as one before.
  std::uint64_t inputs = 0;                                     ///< Changes in all of them, moves among them.
  std::array<std::uint64_t, kDelayBuckets.size()> delays = {};  ///< Frames by measured delay, in ticks.
  std::array<std::uint64_t, kGapBuckets.size()> gaps = {};      ///< Frames by ticks since the one before.
};

/// Of each participant that has sent a frame, by when it joined; past kParticipantsListedMax none are told.
/// Reads all ticks and plays none.
base::Result<std::vector<FramePace>, FileFault> pace_of(const Reader& reader);

}  // namespace sweepd::replay
