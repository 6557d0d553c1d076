// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "sweepd/client.h"
#include "tools/sweepctl/event_file.h"
#include "tools/sweepctl/server_choice.h"
#include "tools/sweepctl/trace.h"
#include "tools/sweepctl/trace_match.h"
#include "tools/sweepctl/trace_seat.h"

namespace sweepd::tools {

struct TracePlayerOptions {
  ServerChoice server;
  TraceMatchOptions match;
  bool keep = false;  ///< Leaves the match running.
  std::function<void(Tick)> on_progress = [](Tick) {};
};

struct TracePlaySummary {
  std::string match_id;
  Tick digest_tick = 0;  ///< The trace's last, unless the clock ran on before it was seen.
  std::uint64_t digest = 0;
};

/// Plays a trace through a live server: a match made for it, a connection for each participant. It succeeds
/// only if what the server found is exact: every frame in its tick, nothing refused, every event received by
/// every participant.
class TracePlayer {
 public:
  /// The trace must outlive it.
  TracePlayer(const Trace& trace, TracePlayerOptions options);
  ~TracePlayer();

  /// Writes the events up to the trace's last tick. Whatever comes, the match is ended, unless it is to be
  /// kept. Returns early, with an error, on an interrupt.
  Result<TracePlaySummary> play(EventFile& events);
  /// Whether `play` failed since a frame came too late while the match had just begun. On a busy machine that
  /// may happen; the trace can be played again.
  bool was_late_at_start() const { return was_late_at_start_; }

 private:
  Status run(EventFile& events);
  Status create();
  Status join();
  Status start();
  Status play_ticks(EventFile& events);
  Status send_frames();
  Status receive(EventFile& events);
  Status step();
  Status verify(const EventFile& events);
  void end();

  bool all_received() const;
  Tick server_tick() const;
  Tick last_tick() const { return trace_.last_tick; }
  bool manual() const { return options_.match.clock == ClockKind::kManual; }

  const Trace& trace_;
  TracePlayerOptions options_;
  Client client_;
  std::string match_id_;
  std::vector<std::unique_ptr<TraceSeat>> seats_;
  std::future<Result<StepResult>>
      stepping_;  ///< Valid while the server steps: frames go on being sent meanwhile.
  Tick stepped_tick_ = 0;
  bool was_late_at_start_ = false;
  TracePlaySummary summary_;
};

}  // namespace sweepd::tools
