// SPDX-License-Identifier: MIT
#include "match/history/trajectory_log.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::match {

using collision::Motion;
using collision::Point;

namespace {

Point onward(Point position, Point step, Tick ticks) {
  return advanced({position, {step, {}}}, ticks).position;
}

Motion onward(const Motion& motion, Tick ticks) { return advanced({{}, motion}, ticks).motion; }

}  // namespace

const TrajectoryLog::Turns& TrajectoryLog::TickLog::turns() const {
  static const Turns kNothing;
  return rare == nullptr ? kNothing : *rare;
}

void TrajectoryLog::begin(LifetimeIndex life, Tick tick, const Trajectory& trajectory) {
  if (life >= bases_.size()) bases_.resize(life + 1);
  if (acceleration_row(life) != kNone)
    free_accelerations_.push_back(std::exchange(acceleration_by_life_[life], kNone));
  bases_[life] = {.last_change = static_cast<TickBits>(tick)};
  runs_.begin(life);
  set_base(life, tick, trajectory);
  if (acceleration_row(life) != kNone) acceleration_of(life).last = trajectory.motion.acceleration;
}

TrajectoryLog::Acceleration& TrajectoryLog::acceleration_of(LifetimeIndex life) {
  if (life >= acceleration_by_life_.size()) {
    const auto before = static_cast<std::ptrdiff_t>(acceleration_by_life_.size());
    base::grow_to(acceleration_by_life_, life + 1);
    std::fill(acceleration_by_life_.begin() + before, acceleration_by_life_.end(), kNone);
  }
  std::uint32_t& row = acceleration_by_life_[life];
  if (row == kNone) {
    if (free_accelerations_.empty()) {
      free_accelerations_.push_back(static_cast<std::uint32_t>(accelerations_.size()));
      base::append_tightly(accelerations_);
    }
    row = free_accelerations_.back();
    free_accelerations_.pop_back();
    accelerations_[row] = {};
  }
  return accelerations_[row];
}

Motion TrajectoryLog::motion_of_base(LifetimeIndex life) const {
  const std::uint32_t row = acceleration_row(life);
  return {bases_[life].velocity, row == kNone ? Point{} : accelerations_[row].at_base};
}

void TrajectoryLog::set_base(LifetimeIndex life, Tick tick, const Trajectory& trajectory) {
  Base& base = bases_[life];
  base.tick = static_cast<TickBits>(tick);
  base.position = trajectory.position;
  base.velocity = trajectory.motion.velocity;
  if (acceleration_row(life) == kNone && trajectory.motion.acceleration == Point{}) return;
  acceleration_of(life).at_base = trajectory.motion.acceleration;
}

void TrajectoryLog::note_motion(LifetimeIndex life, const Motion& motion) {
  velocities_.push_back({life, motion.velocity});
  if (acceleration_row(life) == kNone && motion.acceleration == Point{}) return;
  Point& last = acceleration_of(life).last;
  if (last == motion.acceleration) return;
  last = motion.acceleration;
  new_accelerations_.push_back({life, motion.acceleration});
}

void TrajectoryLog::finish_tick(Tick tick, std::size_t life_count) {
  runs_.finish_tick(static_cast<TickBits>(tick), [this](LifetimeIndex life) {
    stops_.push_back({life, {}});
  });
  tick_ = tick;
  for (const Entries* entries : {&positions_, &velocities_, &stops_}) {
    for (const auto& entry : *entries) bases_[entry.life].last_change = static_cast<TickBits>(tick);
  }
  const std::size_t place = tick % ticks_;
  if (place >= logs_.size()) logs_.resize(place + 1);
  TickLog& log = logs_[place];
  if (tick > ticks_) fold(tick - ticks_, log);
  write(log, {positions_, velocities_, new_accelerations_, stops_}, life_count);
  for (Entries* entries : {&positions_, &velocities_, &new_accelerations_, &stops_}) entries->clear();
}

void TrajectoryLog::write(TickLog& log, const TickEntries& entries, std::size_t life_count) {
  const auto& [positions, velocities, accelerations, stops] = entries;
  log.positions.assign(positions, life_count);
  if (velocities.empty() && stops.empty()) {
    log.rare = nullptr;
    return;
  }
  if (log.rare == nullptr) log.rare = std::make_unique<Turns>();
  log.rare->velocities.assign(velocities, life_count);
  log.rare->accelerations.assign(accelerations, life_count);
  log.rare->stops.assign(stops, life_count);
}

/// Motion last: a position that is set in the same tick is where the tick ended, whatever the motion was.
void TrajectoryLog::fold(Tick tick, const TickLog& log) {
  const auto& [velocities, accelerations, stops] = log.turns();
  stops.for_each([&](LifetimeIndex life, Point) { fold_stop(life, tick); });
  log.positions.for_each([&](LifetimeIndex life, Point position) { fold_position(life, tick, position); });
  velocities.for_each([&](LifetimeIndex life, Point velocity) {
    const auto acceleration = log.turns().accelerations.find(life);
    fold_motion(life, tick, {velocity, acceleration.value_or(motion_of_base(life).acceleration)});
  });
}

void TrajectoryLog::fold_stop(LifetimeIndex life, Tick tick) {
  const StraightRuns::Base run = runs_.base(life);
  if (!run.is_running) return;  // Of the life that had the place before.
  const Tick ticks = tick - 1 - base_tick(life);
  set_base(life, tick - 1,
           {onward(bases_[life].position, run.step, ticks), onward(motion_of_base(life), ticks)});
  runs_.set_base(life, {});
}

void TrajectoryLog::fold_position(LifetimeIndex life, Tick tick, Point position) {
  const Tick ticks = tick - base_tick(life);
  StraightRuns::Base run{.is_running = ticks == 1 && runs_.base(life).is_written, .is_written = true};
  if (run.is_running) run.step = difference(position, bases_[life].position);
  set_base(life, tick, {position, onward(motion_of_base(life), ticks)});
  runs_.set_base(life, run);
}

void TrajectoryLog::fold_motion(LifetimeIndex life, Tick tick, const Motion& motion) {
  Trajectory trajectory{bases_[life].position, motion};
  const Tick ticks = tick - base_tick(life);
  StraightRuns::Base run = runs_.base(life);
  if (ticks > 0 && run.is_running) {
    trajectory.position = onward(trajectory.position, run.step, ticks);
  } else if (ticks > 0) {
    trajectory.position = sum(advanced(trajectory_of_base(life), ticks - 1).position, motion.velocity);
  }
  if (ticks > 0) run.is_written = false;
  set_base(life, tick, trajectory);
  runs_.set_base(life, run);
}

/// What the logs say of it begins after this tick; until then the base tells.
Tick TrajectoryLog::end_of_base(LifetimeIndex life) const {
  return std::max(base_tick(life), tick_ > ticks_ ? tick_ - ticks_ : 0);
}

Motion TrajectoryLog::motion_at(LifetimeIndex life, Tick tick) const {
  Motion motion = motion_of_base(life);
  Tick since = base_tick(life);
  const Tick end = end_of_base(life);
  for (Tick at = std::min(tick, last_change(life)); at > end; --at) {
    const auto velocity = log(at).turns().velocities.find(life);
    if (!velocity) continue;
    motion.velocity = *velocity;
    since = at;
    break;
  }
  for (Tick at = since; at > end; --at) {
    const auto acceleration = log(at).turns().accelerations.find(life);
    if (!acceleration) continue;
    motion.acceleration = *acceleration;
    break;
  }
  return onward(motion, tick - since);
}

/// Of a tick that the base tells of, or one after it.
std::optional<Point> TrajectoryLog::written_in(LifetimeIndex life, Tick tick) const {
  if (tick > end_of_base(life)) return log(tick).positions.find(life);
  if (tick == base_tick(life) && runs_.base(life).is_written) return bases_[life].position;
  return std::nullopt;
}

/// Where it was put last, up to `tick`; if it never was, where the base has it.
TrajectoryLog::Placed TrajectoryLog::last_placed(LifetimeIndex life, Tick tick) const {
  Tick reach = tick;  // So far a run goes, if there is one.
  for (Tick at = std::min(tick, last_change(life)); at > end_of_base(life); --at) {
    if (log(at).turns().stops.find(life)) reach = at - 1;
    const auto position = log(at).positions.find(life);
    if (!position) continue;
    const auto before = written_in(life, at - 1);
    if (!before) return {at, *position};
    return {reach, onward(*position, difference(*position, *before), reach - at)};
  }
  const Tick base = base_tick(life);
  const StraightRuns::Base run = runs_.base(life);
  if (!run.is_running) return {base, bases_[life].position};
  return {reach, onward(bases_[life].position, run.step, reach - base)};
}

/// Back to where it was put last, then forth through all motions since.
Trajectory TrajectoryLog::at(LifetimeIndex life, Tick tick) const {
  SWEEPD_ASSERT(tick >= base_tick(life));
  const Placed placed = last_placed(life, tick);
  Trajectory trajectory{placed.position, motion_at(life, placed.tick)};
  Tick since = placed.tick;
  const Tick last = std::min(tick, last_change(life));
  for (Tick at = std::max(since, end_of_base(life)) + 1; at <= last; ++at) {
    const auto velocity = log(at).turns().velocities.find(life);
    if (!velocity) continue;
    trajectory = advanced(trajectory, at - 1 - since);
    trajectory.motion.velocity = *velocity;
    if (const auto acceleration = log(at).turns().accelerations.find(life))
      trajectory.motion.acceleration = *acceleration;
    trajectory.position = sum(trajectory.position, *velocity);
    since = at;
  }
  return advanced(trajectory, tick - since);
}

/// How far a walk through the ticks has come with a life.
struct TrajectoryLog::Reach {
  Point position, step;
  Tick tick = 0, written = 0;  // In which it was set, or written, last.
  bool is_running = false;
  bool is_listed = false;  // Among those that run.
};

/// As they are before `first`.
std::vector<TrajectoryLog::Reach> TrajectoryLog::reaches_before(Tick first) const {
  std::vector<Reach> reaches(bases_.size());
  for (LifetimeIndex life = 0; life < reaches.size(); ++life) {
    const StraightRuns::Base run = runs_.base(life);
    const Tick base = base_tick(life);
    reaches[life] = {bases_[life].position, run.step, 0, run.is_written ? base : 0, run.is_running};
    if (run.is_running) reaches[life].position = onward(bases_[life].position, run.step, first - 1 - base);
  }
  return reaches;
}

/// Calls visit(life, tick, position) for all positions that frames set, tick by tick. An object that no frame
/// places costs a tick nothing: of thousands of lives, those that run are listed.
template <typename Visit>
void TrajectoryLog::for_each_position(const Visit& visit) const {
  const Tick first = first_logged(tick_);
  std::vector<Reach> reaches = reaches_before(first);
  std::vector<LifetimeIndex> running;  // Those that have stopped go when they are passed.
  const auto list_if_running = [&](LifetimeIndex life) {
    Reach& reach = reaches[life];
    if (reach.is_running && !std::exchange(reach.is_listed, true)) running.push_back(life);
  };
  for (LifetimeIndex life = 0; life < reaches.size(); ++life) list_if_running(life);
  for (Tick tick = first; tick <= tick_; ++tick) {
    log(tick).turns().stops.for_each([&](LifetimeIndex life, Point) { reaches[life].is_running = false; });
    log(tick).positions.for_each([&](LifetimeIndex life, Point position) {
      Reach& reach = reaches[life];
      const bool is_running = reach.written != 0 && reach.written == tick - 1;
      reach = {position, difference(position, reach.position), tick, tick, is_running, reach.is_listed};
      list_if_running(life);
      visit(life, tick, position);
    });
    std::erase_if(running, [&](LifetimeIndex life) {
      reaches[life].is_listed = reaches[life].is_running;
      return !reaches[life].is_listed;
    });
    for (const LifetimeIndex life : running) {
      Reach& reach = reaches[life];
      if (reach.tick == tick) continue;
      reach.tick = tick;
      reach.position = sum(reach.position, reach.step);
      visit(life, tick, reach.position);
    }
  }
}

Tracks TrajectoryLog::positions() const {
  Tracks tracks(bases_.size());
  for_each_position([&](LifetimeIndex life, Tick, Point) { tracks.expect(life); });
  tracks.make_room();
  for_each_position([&](LifetimeIndex life, Tick tick, Point position) {
    tracks.add(life, {tick, position});
  });
  return tracks;
}

Tracks TrajectoryLog::tracks(TickColumn Turns::*column) const {
  Tracks tracks(bases_.size());
  for (Tick tick = first_logged(tick_); tick <= tick_; ++tick) {
    (log(tick).turns().*column).for_each([&](LifetimeIndex life, Point) { tracks.expect(life); });
  }
  tracks.make_room();
  for (Tick tick = first_logged(tick_); tick <= tick_; ++tick) {
    (log(tick).turns().*column).for_each([&](LifetimeIndex life, Point value) {
      tracks.add(life, {tick, value});
    });
  }
  return tracks;
}

TrajectoryLog::Builder::Builder(TrajectoryLog& log, Tick tick)
    : log_(log), tick_(tick), entries_(tick + 1 - log.first_logged(tick)) {}

void TrajectoryLog::Builder::add(LifetimeIndex life, Tick start, const Trajectory& trajectory,
                                 const LifetimeTracks& tracks) {
  log_.begin(life, start, trajectory);
  add_positions(life, tracks.positions);
  for (const auto& [tick, value] : tracks.velocities) entries(tick).velocities.push_back({life, value});
  for (const auto& [tick, value] : tracks.accelerations) entries(tick).accelerations.push_back({life, value});
  Tick last_change = start;
  // Also a stop in the tick after the last.
  if (!tracks.positions.empty())
    last_change = std::max(last_change, std::min(tracks.positions.back().tick + 1, tick_));
  if (!tracks.velocities.empty()) last_change = std::max(last_change, tracks.velocities.back().tick);
  log_.bases_[life].last_change = static_cast<TickBits>(last_change);
  if (!tracks.accelerations.empty()) log_.acceleration_of(life).last = tracks.accelerations.back().value;
}

void TrajectoryLog::Builder::add_positions(LifetimeIndex life, std::span<const TrackPoint> positions) {
  StraightRuns& runs = log_.runs_;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto& [tick, value] = positions[i];
    if (runs.place(life, static_cast<TickBits>(tick), value))
      entries(tick).positions.push_back({life, value});
    const Tick next = i + 1 < positions.size() ? positions[i + 1].tick : tick_ + 1;
    if (runs.stops_before(life, static_cast<TickBits>(next))) entries(tick + 1).stops.push_back({life, {}});
  }
}

void TrajectoryLog::Builder::finish(std::size_t life_count) {
  log_.tick_ = tick_;
  log_.logs_.resize(std::min<std::size_t>(log_.ticks_, tick_ + 1));
  Tick tick = log_.first_logged(tick_);
  for (auto& [positions, velocities, accelerations, stops] : entries_) {
    log_.write(log_.logs_[tick++ % log_.ticks_], {positions, velocities, accelerations, stops}, life_count);
  }
  log_.runs_.finish_tick(static_cast<TickBits>(tick_), [](LifetimeIndex) {});
}

std::size_t TrajectoryLog::bytes() const {
  std::size_t bytes = logs_.capacity() * sizeof(TickLog) + bases_.size() * sizeof(Base) + runs_.bytes() +
                      accelerations_.capacity() * sizeof(Acceleration) +
                      acceleration_by_life_.capacity() * sizeof(std::uint32_t);
  for (const TickLog& log : logs_) {
    const auto& [velocities, accelerations, stops] = log.turns();
    bytes += log.positions.bytes() + velocities.bytes() + accelerations.bytes() + stops.bytes();
    if (log.rare != nullptr) bytes += sizeof(Turns);
  }
  return bytes;
}

}  // namespace sweepd::match
