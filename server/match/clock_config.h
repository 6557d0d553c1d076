// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "match/field_check.h"
#include "match/role.h"

namespace sweepd::match {

/// What makes ticks run. A match itself knows no time: it is told to step, and can say whose frames are
/// missing.
enum class ClockKind : std::uint8_t { kRealtime = 1, kManual = 2, kLockstep = 3 };

inline constexpr Range kTickRateRangeHz{1, 240};
inline constexpr Range kDeadlineRangeMs{1, 60'000};

/// Of the clock LOCKSTEP.
struct LockstepConfig {
  std::uint32_t deadline_ms = 250;                         ///< In kDeadlineRangeMs.
  RoleSet required_roles = {Role::kPlayer, Role::kStage};  ///< No observers: they send no frames.
};

/// The first field at fault, or nothing.
Found find_error(const LockstepConfig& config);

}  // namespace sweepd::match
