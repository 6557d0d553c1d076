// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "replay/head.h"
#include "runtime/budgets/budget_key.h"
#include "runtime/match/match_id.h"

namespace sweepd::runtime {

/// What a match begins with.
struct MatchOrigin {
  MatchId id = {};
  std::int64_t create_time_unix_ms = 0;
  replay::Head head = {};
  BudgetKey budget_key = {};  ///< Of its creator.
};

std::string encode(const MatchOrigin& origin);
std::optional<MatchOrigin> decode_origin(std::string_view bytes);

}  // namespace sweepd::runtime
