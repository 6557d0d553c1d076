// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "replay/ending.h"
#include "replay/head.h"

namespace sweepd::replay {

// Parts of a replay as bytes, to be kept until there is a whole one. What cannot be what was written is
// nothing; sums against damage are the keeper's.

std::string encode_head(const Head& head);
std::optional<Head> decode_head(std::string_view bytes);

std::string encode_ending(const Ending& ending);
std::optional<Ending> decode_ending(std::string_view bytes);

}  // namespace sweepd::replay
