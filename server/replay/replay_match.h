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

}  // namespace sweepd::replay
