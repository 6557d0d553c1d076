// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <mutex>
#include <span>

#include "runtime/loop/move_choice.h"

namespace sweepd::session {

class MatchLoop;

/// What the loops share for moving matches.
struct MoveTurn {
  explicit MoveTurn(std::size_t loops) : arrivals(loops) {}

  /// Held while a match moves: two loops that had each other stand still would do so for ever. A loop only
  /// tries to have it, and waits for its next chance; but the shutdown of the server waits for it.
  std::mutex mutex;
  runtime::ArrivalLedger arrivals;  ///< Guarded by it.
};

/// Moves matches away from a loop that has too much to do. On the loop's thread.
class MatchMoves {
 public:
  explicit MatchMoves(MatchLoop& home) : home_(home) {}

  /// The loop has been measured, as it is once a second: then one match may move.
  void loop_measured(const runtime::LoadReading& load);

  /// Beside that: one after the other to the next loop, one in each such time, whatever the loads are. For
  /// tests. Before the loop runs.
  void move_always(std::chrono::milliseconds every);

 private:
  void move_if_better();
  void move_next();
  void move(const runtime::MoveChoice& choice, std::span<const runtime::LoadReading> loads);

  MatchLoop& home_;
  runtime::MatchId last_moved_;  ///< By move_next.
};

}  // namespace sweepd::session
