// SPDX-License-Identifier: MIT
#include "session/match_moves.h"

#include <cmath>
#include <memory>
#include <vector>

#include "runtime/loop/loop_pause.h"
#include "session/match_loop.h"

namespace sweepd::session {
namespace {

std::uint32_t percent(double ratio) { return static_cast<std::uint32_t>(std::lround(ratio * 100)); }

}  // namespace

// What moves does so between two pieces of posted work, and this is called from between two rounds.
void MatchMoves::loop_measured(const runtime::LoadReading& load) {
  if (load.is_overloaded && home_.backend().loops.size() > 1) {
    home_.loop().post([this] { move_if_better(); });
  }
}

void MatchMoves::move_if_better() {
  Backend& backend = home_.backend();
  const std::unique_lock turn(backend.moves.mutex, std::try_to_lock);
  if (!turn || backend.is_shutting_down) return;
  const std::vector<runtime::LoadReading> loads = backend.loads();
  const auto choice = runtime::choose_move(home_.index(), backend.moves.arrivals.view(loads),
                                           home_.matches().costs(), backend.load_limits);
  if (!choice) return;
  move(*choice, loads);
  // As of after the move: the readings of before may have been over by then.
  backend.moves.arrivals.add(choice->to, choice->match.busy_ratio,
                             backend.loops[choice->to]->loop().load().reading());
}

void MatchMoves::move_always(std::chrono::milliseconds every) {
  runtime::Loop& loop = home_.loop();
  const auto alarm = std::make_shared<runtime::TickerId>();
  *alarm = loop.ticks().add_alarm([this, &loop, alarm, every] {
    loop.ticks().set_alarm(*alarm, loop.now() + every);
    loop.post([this] { move_next(); });
  });
  loop.ticks().set_alarm(*alarm, loop.now() + every);
}

void MatchMoves::move_next() {
  Backend& backend = home_.backend();
  const std::unique_lock turn(backend.moves.mutex, std::try_to_lock);
  const auto id = home_.matches().next_after(last_moved_);
  if (!turn || backend.is_shutting_down || !id) return;
  last_moved_ = *id;
  move({.match = {.id = *id}, .to = (home_.index() + 1) % backend.loops.size()}, backend.loads());
}

void MatchMoves::move(const runtime::MoveChoice& choice, std::span<const runtime::LoadReading> loads) {
  MatchLoop& target = *home_.backend().loops[choice.to];
  {
    // The one with less to do waits: it comes sooner, and what it waits for takes microseconds.
    const runtime::LoopPause pause(target.loop());
    home_.matches().move(choice.match.id, target.matches(), choice.to);
  }
  home_.loop().figures().match_lines.log(runtime::LogLevel::kInfo, "match moved to another loop",
                                         {{"match_id", choice.match.id},
                                          {"from", home_.index()},
                                          {"to", choice.to},
                                          {"from_busy_percent", percent(loads[home_.index()].busy_ratio)},
                                          {"to_busy_percent", percent(loads[choice.to].busy_ratio)},
                                          {"match_busy_percent", percent(choice.match.busy_ratio)}});
}

}  // namespace sweepd::session
