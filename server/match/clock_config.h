// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "match/enum_range.h"
#include "match/field.h"
#include "match/role.h"

namespace sweepd::match {

/// What makes ticks run. A match itself knows no time: it is told to step, and can say whose frames are
/// missing.
enum class ClockKind : std::uint8_t { kRealtime = 1, kManual = 2, kLockstep = 3 };
constexpr Range numbers_of(ClockKind) { return range_from<ClockKind::kRealtime>(); }

inline constexpr Range kTickRateRangeHz{1, 240};

/// Of the clock LOCKSTEP.
struct LockstepConfig {
  std::uint32_t deadline_ms = 250;
  RoleSet required_roles = {Role::kPlayer, Role::kStage};  ///< No observers: they send no frames.
  friend bool operator==(const LockstepConfig&, const LockstepConfig&) = default;
};

Found check_required_roles(const FieldIn<LockstepConfig>& field);

constexpr void for_each_field(std::type_identity<LockstepConfig>, const auto& visit) {
  visit(SWEEPD_FIELD(LockstepConfig, deadline_ms).in({1, 60'000}));
  visit(SWEEPD_FIELD(LockstepConfig, required_roles).by(check_required_roles));
}

/// What becomes of a match whose start_after_participants have not come in time.
enum class StartTimeout : std::uint8_t { kStart = 1, kEndMatch = 2 };
constexpr Range numbers_of(StartTimeout) { return range_from<StartTimeout::kStart>(); }

inline constexpr std::uint32_t kStartTimeoutMaxMs = 86'400'000;
inline constexpr std::uint32_t kReturnTimeoutMaxMs = 600'000;

/// What a REALTIME or LOCKSTEP clock waits for, and how long, by the server's clock. No tick runs meanwhile:
/// the outcome does not depend on it.
struct ClockWaits {
  std::uint32_t start_timeout_ms = 0;  ///< For start_after_participants; 0: as long as it takes.
  StartTimeout on_start_timeout = StartTimeout::kStart;
  /// After a restart of the server, for the players and stages that had seats; 0: not at all. Longer than the
  /// pauses of clients that come back, short enough that the others go on without one that stays away.
  std::uint32_t return_timeout_ms = 10'000;
  friend bool operator==(const ClockWaits&, const ClockWaits&) = default;
};

constexpr void for_each_field(std::type_identity<ClockWaits>, const auto& visit) {
  visit(SWEEPD_FIELD(ClockWaits, start_timeout_ms).in({0, kStartTimeoutMaxMs}));
  visit(SWEEPD_FIELD(ClockWaits, on_start_timeout));
  visit(SWEEPD_FIELD(ClockWaits, return_timeout_ms).in({0, kReturnTimeoutMaxMs}));
}

}  // namespace sweepd::match
