// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/journal/journal.h"

namespace sweepd::runtime {

enum class SealedKind : std::uint8_t {
  kOrigin = 1,
  kState,
  kEnding,
  kExtent,
  kKeyFrame,
  kSegment,
  kInventory,
};

/// Where a blob belongs. Its sum is of that too: bytes that are whole and stand in another's row, or in a row
/// whose numbers have changed, are damaged.
struct SealedPlace {
  SealedKind kind;
  JournalKey match = 0;
  match::Tick first_tick = 0;
  match::Tick last_tick = 0;
};

std::string sealed(const SealedPlace& place, std::string content);
/// Nothing: it is not what was sealed for that place. Part of `blob`.
std::optional<std::string_view> unsealed(const SealedPlace& place, std::string_view blob);

}  // namespace sweepd::runtime
