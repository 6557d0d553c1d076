// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/tick_record.h"

namespace sweepd::replay {

/// Consecutive ticks as a replay's chunk has them: packed once, they can be put into a file as they are.
struct PackedTicks {
  Tick first_tick = 0;
  std::uint64_t tick_count = 0;
  std::uint64_t last_digest = 0;  ///< After the last of them.
  std::string content = {};       ///< What a TickEncoder made, compressed.

  Tick last_tick() const { return first_tick + tick_count - 1; }
};

/// `records`: consecutive, at least one. In as many pieces as their size asks for. What takes more than a
/// chunk may hold by itself ends the list: it and what follows are left out.
std::vector<PackedTicks> pack(const std::vector<TickRecord>& records, int compression_level);

}  // namespace sweepd::replay
