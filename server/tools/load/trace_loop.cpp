// SPDX-License-Identifier: MIT
#include "tools/load/trace_loop.h"

#include <limits>
#include <unordered_map>

#include "base/assert.h"
#include "tools/load/frame_bytes.h"

namespace sweepd::tools::load {
namespace {

// The trace's own unit.
constexpr std::uint32_t kSubunitsPerUnit = 256;

// A position is a base for 64 frames of its client (see MoveColumns). Half of that leaves room for a frame
// that the load sends on its own.
constexpr std::uint64_t kBaseFrames = 32;

// Two passes are a multiple of 2 * kProbeTicks: then probes end where they began.
std::size_t pass_ticks_of(const Trace& trace) {
  const std::uint64_t ticks = trace.last_tick + 1;
  return (ticks + kProbeTicks - 1) / kProbeTicks * kProbeTicks;
}

// From one end of the coordinates to the other it is further than 32 bits say.
bool fits_a_row(const Point& from, const Point& to) {
  const auto fits = [](std::int64_t before, std::int64_t after) {
    const std::int64_t step = after - before;
    return step >= std::numeric_limits<std::int32_t>::min() &&
           step <= std::numeric_limits<std::int32_t>::max();
  };
  return fits(from.x, to.x) && fits(from.y, to.y);
}

}  // namespace

/// Turns a participant's commands into lives and steps.
class TraceLoop::StepMaker {
 public:
  StepMaker(std::vector<const TraceCommand*>& lives, std::vector<Step>& steps)
      : lives_(lives), steps_(steps) {}

  void add(const TraceFrame& frame) {
    Step& step = steps_[frame.tick - 1];
    std::unordered_map<Life, std::size_t> rows;
    for (const TraceCommand& command : frame.commands) {
      if (command.kind == TraceCommandKind::kSpawn) {
        spawn(command, frame.tick, step);
      } else if (command.kind == TraceCommandKind::kDespawn) {
        step.despawns.push_back(living_.at(command.object));
        living_.erase(command.object);
      } else {
        move(command, frame.tick, step, rows);
      }
    }
  }

  /// All despawn.
  void end(Step& step) {
    for (const TraceCommand* spawned : lives_) {
      const auto found = living_.find(spawned->object);
      if (found == living_.end() || lives_[found->second] != spawned) continue;
      step.despawns.push_back(found->second);
      living_.erase(found);
    }
  }

 private:
  void spawn(const TraceCommand& command, std::uint64_t tick, Step& step) {
    const auto life = static_cast<Life>(lives_.size());
    lives_.push_back(&command);
    places_.push_back({command.x, command.y});
    placed_in_.push_back(tick);
    living_[command.object] = life;
    step.spawns.push_back(life);
  }

  // Where an object moves twice in a tick, what is seen of it is the tick's end.
  void move(const TraceCommand& command, std::uint64_t tick, Step& step,
            std::unordered_map<Life, std::size_t>& rows) {
    const Life life = living_.at(command.object);
    const Point to{command.x, command.y};
    const auto [row, is_first] = rows.try_emplace(life, step.moves.size());
    if (is_first) {
      step.moves.push_back({life, places_[life], to, tick - placed_in_[life] > kBaseFrames});
    } else {
      step.moves[row->second].to = to;
    }
    places_[life] = to;
    placed_in_[life] = tick;
  }

  std::vector<const TraceCommand*>& lives_;
  std::vector<Step>& steps_;
  std::vector<Point> places_;                       ///< By life.
  std::vector<std::uint64_t> placed_in_;            ///< The tick, which is a frame; by life.
  std::unordered_map<std::uint32_t, Life> living_;  ///< By the trace's id. Never walked.
};

TraceLoop::TraceLoop(const Part& part)
    : trace_(*part.trace), first_id_(part.first_id), steps_(pass_ticks_of(trace_)) {
  SWEEPD_ASSERT(trace_.last_tick <= kTraceTicksMax);
  StepMaker maker(lives_, steps_);
  for (const TraceFrame& frame : trace_.participants[part.participant].frames) maker.add(frame);
  maker.end(steps_[trace_.last_tick]);
  probe_ = ProbePath(part.probe, first_id_ + 2 * static_cast<std::uint32_t>(lives_.size()));
  for (std::uint32_t tick = 0; tick < 2 * pass_ticks(); ++tick) encode(tick);
}

std::uint32_t TraceLoop::id_of(Life life, std::uint32_t tick) const {
  const std::uint32_t pass = tick / pass_ticks();
  return first_id_ + pass * static_cast<std::uint32_t>(lives_.size()) + life;
}

void TraceLoop::spawn(Life life, const Point& at, std::uint32_t tick, v1::Frame& frame) const {
  v1::Spawn* spawn = add_spawn(frame, id_of(life, tick), at);
  for (const TraceBox& box : trace_.boxes_of(*lives_[life])) {
    add_part({box.min_x, box.min_y, box.max_x, box.max_y}, lives_[life]->layer, *spawn);
  }
}

void TraceLoop::encode(std::uint32_t tick) {
  const Step& step = steps_[tick % pass_ticks()];
  v1::Frame frame;
  for (const Life life : step.spawns) spawn(life, {lives_[life]->x, lives_[life]->y}, tick, frame);
  MoveRows rows(frame);
  for (const Move& move : step.moves) {
    const std::uint32_t id = id_of(move.life, tick);
    if (!move.is_absolute && fits_a_row(move.from, move.to)) {
      rows.add(id, move.from, move.to);
    } else {
      add_absolute_move(frame, id, move.to);
    }
  }
  for (const Life life : step.despawns) frame.add_despawns(id_of(life, tick));
  const std::uint32_t before = (tick + 2 * pass_ticks() - 1) % (2 * pass_ticks());
  add_frame(before, frame, rows);
}

std::vector<std::pair<TraceLoop::Life, Point>> TraceLoop::alive_after(std::uint32_t tick) const {
  std::vector<bool> lives(lives_.size());
  std::vector<Point> places(lives_.size());
  for (std::uint32_t i = 0; i <= tick % pass_ticks(); ++i) {
    for (const Life life : steps_[i].spawns) {
      lives[life] = true;
      places[life] = {lives_[life]->x, lives_[life]->y};
    }
    for (const Move& move : steps_[i].moves) places[move.life] = move.to;
    for (const Life life : steps_[i].despawns) lives[life] = false;
  }
  std::vector<std::pair<Life, Point>> alive;
  for (Life life = 0; life < lives.size(); ++life) {
    if (lives[life]) alive.emplace_back(life, places[life]);
  }
  return alive;
}

std::string TraceLoop::opening(std::uint32_t tick) const {
  v1::Frame frame;
  for (const auto& [life, at] : alive_after(tick)) spawn(life, at, tick, frame);
  probe_.spawn(tick, frame);
  return whole_request(frame);
}

std::string TraceLoop::restart(std::uint32_t tick) const {
  v1::Frame frame;
  for (const auto& [life, at] : alive_after(tick)) add_absolute_move(frame, id_of(life, tick), at);
  return restarted(tick, frame);
}

double TraceLoop::objects_mean() const {
  std::int64_t alive = 0, sum = 0;
  for (const Step& step : steps_) {
    alive += static_cast<std::int64_t>(step.spawns.size()) - static_cast<std::int64_t>(step.despawns.size());
    sum += alive;
  }
  return static_cast<double>(sum) / pass_ticks();
}

std::vector<TraceLoop> make_trace_loops(const Trace& trace) {
  std::vector<TraceLoop> loops;
  loops.reserve(trace.participants.size());
  TraceLoop::Part part{&trace, 0, 1, {}};
  part.probe = {0, static_cast<std::uint32_t>(trace.participants.size()),
                static_cast<std::uint32_t>(trace.layers.size()), kSubunitsPerUnit};
  for (; part.participant < trace.participants.size(); ++part.participant) {
    part.probe.number = static_cast<std::uint32_t>(part.participant);
    loops.emplace_back(part);
    part.first_id = loops.back().last_id() + 1;
  }
  return loops;
}

}  // namespace sweepd::tools::load
