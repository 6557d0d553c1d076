// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "match/match.h"
#include "replay/reader.h"

namespace sweepd::replay {

/// The match of a replay before its first tick, as it is played fastest: with the default broadphase, and its
/// past kept only where claims strike by it. Neither changes a digest or a score.
base::Result<std::unique_ptr<match::Match>, FileFault> match_to_play(const Reader& reader);

/// The match of a key frame of the replay, from which to go on in the same way. Whether it is the match that
/// the replay comes to by then is not looked at. What a stranger has made up may take a hundred times the
/// bytes of its content, and where claims strike by the past a thousand times.
base::Result<std::unique_ptr<match::Match>, match::SnapshotError> match_to_play_from(
    const Reader& reader, const KeyFrame& key_frame);

/// Whether this build can look into a key frame.
bool is_known(const Reader::KeyFramePlace& key_frame);

}  // namespace sweepd::replay
