// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "replay/record_reader.h"

namespace sweepd::replay {

/// The first `ticks` of a replay as a replay of their own, with the scores as they were then. It has no
/// receipt: none was signed for that. The key frames among them stay. Also of a replay that is cut off
/// already, which is how it is made whole again. `ticks`: 1 up to the number that can be read.
base::Result<std::string, FileFault> cut(std::string_view bytes, std::uint64_t ticks);

}  // namespace sweepd::replay
