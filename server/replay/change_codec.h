// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "match/frame.h"
#include "sweepd/replay/v1/ticks.pb.h"

namespace sweepd::replay {

/// All that a frame changes besides its moves.
bool has_changes(const match::Frame& frame);
void encode_changes(const match::Frame& frame, v1::Changes& message);

/// What no frame can hold, or nothing. What a match would refuse is for the match to refuse.
std::optional<std::string> decode_changes(v1::Changes& message, match::Frame& frame);

}  // namespace sweepd::replay
