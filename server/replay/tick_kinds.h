// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::replay {

/// Low half of an input's byte in the column `kinds`.
enum InputKind : std::uint8_t { kJoin = 1, kLeave = 2, kAway = 3, kBack = 4, kFrame = 5 };
inline constexpr std::uint8_t kInputKindMask = 0x0f;

/// Bits of its high half, of frames.
enum FrameTrait : std::uint8_t { kHasMoves = 0x10, kHasChanges = 0x20, kNamesTick = 0x40, kHasDelay = 0x80 };

}  // namespace sweepd::replay
