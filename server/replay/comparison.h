// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "match/frame.h"
#include "replay/reader.h"
#include "replay/record_reader.h"

namespace sweepd::replay {

/// Where two replays become different matches.
struct Difference {
  Tick tick = 0;                               ///< The first that differs; 0: their rules do.
  std::optional<match::ObjectId> object = {};  ///< The first that differs after it; absent: none does.
  std::string what = {};                       ///< For people.
};

/// A replay that cannot be compared, and up to where it could.
struct ComparisonFault {
  int replay = 0;  ///< 1 or 2.
  FileFault fault = {};
};

/// Plays two replays side by side. Nothing: they go the same way from beginning to end.
base::Result<std::optional<Difference>, ComparisonFault> compare(std::string_view first,
                                                                 std::string_view second);

/// What two replays say otherwise of themselves, beside their ticks: "nonce", "creator", "scores", "receipt"
/// and the like. `is_any_log`: one of them was an input log, which tells of nonce and scores alone.
std::vector<std::string> compare_statements(const Reader& first, const Reader& second, bool is_any_log);

}  // namespace sweepd::replay
