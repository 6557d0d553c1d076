// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/geometry.h"
#include "collision/object_table.h"
#include "match/participant.h"

namespace sweepd::runtime {

/// An object of which there is something to tell.
struct WorldCandidate {
  collision::ObjectSlot slot = 0;
  match::ObjectId id = 0;
  collision::Point position;
  match::Tick since = 0;   ///< When it changed last.
  std::int64_t bytes = 0;  ///< That telling it takes, about.
  bool is_first = false;   ///< In any case.
};

/// Orders candidates: what is to be told first, then what is nearest to `focus`, in steps of twice the
/// distance, and of that the newest. How many of them have room in so many bytes.
std::size_t most_urgent(std::vector<WorldCandidate>& candidates, std::optional<collision::Point> focus,
                        std::int64_t bytes);

}  // namespace sweepd::runtime
