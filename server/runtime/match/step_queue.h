// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "base/result.h"
#include "match/match.h"

namespace sweepd::runtime {

struct StepRequest {
  std::uint32_t ticks = 1;
  bool wait_for_frames = false;  ///< Each tick waits until the frames for it are in.
};

/// The state after a step.
struct StepResult {
  match::Tick tick = 0;
  std::uint64_t digest = 0;
  std::uint64_t last_sequence_number = 0;
};

enum class StepError : std::uint8_t {
  kClockNotManual,
  kStepInProgress,  ///< Another step waits for frames, or too many wait their turn.
  kCancelled,
  kMatchPaused,
  kMatchEnded,
  kShuttingDown,
};

using StepId = std::uint64_t;
using StepCallback = std::function<void(const base::Result<StepResult, StepError>&)>;

/// The steps of a match that have been asked for and not run to their end. Each gets exactly one answer.
/// Those that do not wait for frames run one after the other, and before the one that waits.
class StepQueue {
 public:
  /// Steps that do not wait for frames; a further one is refused at once.
  static constexpr std::size_t kStepsMax = 64;

  void add(StepId id, const StepRequest& request, StepCallback callback);

  /// Ignored for a step that has its answer.
  void cancel(StepId id);

  void fail_all(StepError error);

  bool empty() const { return steps_.empty() && !waiting_; }

  /// Whether a tick should run now.
  bool is_tick_due(bool frames_are_in) const { return !steps_.empty() || (waiting_ && frames_are_in); }

  /// That tick has run.
  void count_tick(const StepResult& result);

 private:
  struct Step {
    StepId id = 0;
    std::uint32_t ticks_left = 0;
    StepCallback callback;
  };

  std::deque<Step> steps_;
  std::optional<Step> waiting_;
};

}  // namespace sweepd::runtime
