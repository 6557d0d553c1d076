// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/load/client_loop.h"
#include "tools/load/scene.h"
#include "tools/sweepctl/trace.h"

namespace sweepd::tools::load {

/// The loop of one client that plays a participant of a recorded match, again and again: in the tick after
/// the trace's last one everything is despawned, and within kProbeTicks ticks it begins anew.
///
/// Frames go out by the load's clock, not for a tick by number, and a server that was late may apply two in
/// one tick. An id that was despawned in a tick cannot be spawned in it, so every object has an id for itself
/// in place of the trace's, in every other pass another one: whatever comes together, nothing is refused.
class TraceLoop final : public ClientLoop {
 public:
  struct Part {
    const Trace* trace = nullptr;  ///< Must outlive the loop. Of at most kTraceTicksMax ticks.
    std::size_t participant = 0;   ///< In the trace.
    std::uint32_t first_id = 1;
    ProbePath::Place probe;
  };
  explicit TraceLoop(const Part& part);

  std::string opening(std::uint32_t tick) const override;
  std::string restart(std::uint32_t tick) const override;

  /// How many objects there are at the end of a tick, on average over the loop; without the probe's two.
  double objects_mean() const;

 private:
  /// An object from its spawn to its end, by its number in order of spawns.
  using Life = std::uint32_t;
  struct Move {
    Life life = 0;
    Point from, to;
    bool is_absolute = false;  ///< There is no base for a difference any more.
  };
  struct Step {
    std::vector<Life> spawns;
    std::vector<Move> moves;  ///< One at most for each life.
    std::vector<Life> despawns;
  };
  class StepMaker;

  std::uint32_t pass_ticks() const { return static_cast<std::uint32_t>(steps_.size()); }
  std::uint32_t id_of(Life life, std::uint32_t tick) const;
  void encode(std::uint32_t tick);
  /// The lives after a tick of the loop, and where they are; in order of their spawns.
  std::vector<std::pair<Life, Point>> alive_after(std::uint32_t tick) const;
  void spawn(Life life, const Point& at, std::uint32_t tick, v1::Frame& frame) const;

  const Trace& trace_;
  std::uint32_t first_id_;
  std::vector<const TraceCommand*> lives_;  ///< The command that spawned each.
  std::vector<Step> steps_;                 ///< Of one pass, tick by tick.
};

/// An hour at 60 Hz: a longer trace would take too much memory.
inline constexpr std::uint64_t kTraceTicksMax = 60 * 60 * 60;

/// A loop for each participant. The layer of the probes comes after the trace's own and collides with itself.
/// The trace must outlive them.
std::vector<TraceLoop> make_trace_loops(const Trace& trace);

}  // namespace sweepd::tools::load
