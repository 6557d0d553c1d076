// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "match/match.h"
#include "replay/reader.h"

namespace sweepd::replay {

/// How much of a match's past is kept while it is played again. It changes no digest and no score.
enum class PlayedPast : std::uint8_t {
  kWhereClaimsStrike,  ///< For speed: all other claims come to other verdicts than they did.
  kAsConfigured,
};

/// The match of a replay before its first tick, as it is played fastest: with the default broadphase, which
/// changes no digest and no score.
base::Result<std::unique_ptr<match::Match>, FileFault> match_to_play(
    const Reader& reader, PlayedPast past = PlayedPast::kWhereClaimsStrike);

/// The match of a key frame of the replay, from which to go on in the same way. Whether it is the match that
/// the replay comes to by then is not looked at. What a stranger has made up may take a hundred times the
/// bytes of its content, and where claims strike by the past a thousand times.
base::Result<std::unique_ptr<match::Match>, match::SnapshotError> match_to_play_from(
    const Reader& reader, const KeyFrame& key_frame, PlayedPast past = PlayedPast::kWhereClaimsStrike);

/// Whether this build can look into a key frame.
bool is_known(const Reader::KeyFramePlace& key_frame);

}  // namespace sweepd::replay
