// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sweepd/ids.h"
#include "sweepd/role.h"

/// What makes the ticks of a match run, and what stops them for a while.
namespace sweepd {

enum class ClockKind {
  kRealtime,  ///< A fixed rate on the server's clock.
  kManual,    ///< Client::step_match.
  kLockstep,  ///< The participants' frames: see Lockstep.
};

/// Settings of kLockstep. A tick runs as soon as the frames for it of all required participants are in, and
/// at the latest when its deadline has passed; those that were late are told (Session::poll_late). A frame is
/// for the tick that it names, or for the next; one that comes late is for none.
struct Lockstep {
  std::uint32_t deadline_ms = 250;  ///< 1 to 60000, from the tick before, the start, or the end of a pause.
  /// kPlayer, kStage; not given: both. Given and empty: no frame is waited for, ticks run at their deadlines.
  std::optional<std::vector<Role>> required_roles = {};
};

/// What becomes of a match when its start_after_participants have not come in time.
enum class StartTimeout {
  kStart,     ///< The clock starts with those that are there.
  kEndMatch,  ///< The match ends.
};

/// What a kRealtime or kLockstep clock waits for, and how long, by the server's clock. No tick runs
/// meanwhile.
struct ClockWaits {
  /// For start_after_participants, from the creation of the match or from a restart of its server; at most
  /// 86,400,000. 0: as long as it takes.
  std::uint32_t start_timeout_ms = 0;
  StartTimeout on_start_timeout = StartTimeout::kStart;
  /// After a restart of the server, for the players and stages that had seats to come back; at most 600,000.
  /// 0: the clock goes on at once.
  std::uint32_t return_timeout_ms = 10'000;
  friend bool operator==(const ClockWaits&, const ClockWaits&) = default;
};

/// What is to change about a clock; what is absent stays. At least one is needed.
struct ClockControl {
  std::optional<bool> paused = {};
  std::optional<std::uint32_t> tick_rate_hz = {};  ///< 1 to 240.
};

/// A match's clock as it is now.
struct ClockState {
  bool paused = false;
  std::uint32_t tick_rate_hz = 0;
  friend bool operator==(const ClockState&, const ClockState&) = default;
};

/// A tick of a kLockstep match that ran by its deadline, and because of whom.
struct LateReport {
  Tick tick = 0;
  std::vector<std::uint32_t> participants = {};  ///< Their numbers, ascending.
};

}  // namespace sweepd
