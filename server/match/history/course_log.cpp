// SPDX-License-Identifier: MIT
#include "match/history/course_log.h"

#include <algorithm>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::match {

using collision::Motion;
using collision::Point;

void CourseLog::begin(LifeIndex life, Tick tick, const Course& course) {
  if (life >= bases_.size()) {
    base::grow_to(bases_, life + 1);
    base::grow_to(motions_, life + 1);
    base::grow_to(last_changes_, life + 1);
    has_motion_.resize(bases_.size());
  }
  set_base(life, tick, course);
  motions_[life].last_acceleration = course.motion.acceleration;
  last_changes_[life] = tick;
}

void CourseLog::set_base(LifeIndex life, Tick tick, const Course& course) {
  bases_[life] = {tick, course.position};
  motions_[life].at_base = course.motion;
  has_motion_[life] = !course.motion.is_still();
}

void CourseLog::note_motion(LifeIndex life, const Motion& motion) {
  velocities_.push_back({life, motion.velocity});
  Point& last = motions_[life].last_acceleration;
  if (last == motion.acceleration) return;
  last = motion.acceleration;
  accelerations_.push_back({life, motion.acceleration});
}

void CourseLog::finish_tick(Tick tick, std::size_t life_count) {
  tick_ = tick;
  for (const auto& entry : positions_) last_changes_[entry.life] = tick;
  for (const auto& entry : velocities_) last_changes_[entry.life] = tick;
  const std::size_t place = tick % ticks_;
  if (place >= logs_.size()) logs_.resize(place + 1);
  TickLog& log = logs_[place];
  if (tick > ticks_) fold(tick - ticks_, log);
  log.positions.assign(positions_, life_count);
  log.velocities.assign(velocities_, life_count);
  log.accelerations.assign(accelerations_, life_count);
  positions_.clear();
  velocities_.clear();
  accelerations_.clear();
}

/// Motion first: a position that is set in the same tick is where the tick ended, whatever the motion was.
void CourseLog::fold(Tick tick, const TickLog& log) {
  log.velocities.for_each([&](LifeIndex life, Point velocity) {
    Course course = advanced(course_of_base(life), tick - 1 - bases_[life].tick);
    course.motion.velocity = velocity;
    if (const Point* acceleration = log.accelerations.find(life)) course.motion.acceleration = *acceleration;
    course.position = sum(course.position, velocity);
    set_base(life, tick, course);
  });
  log.positions.for_each([&](LifeIndex life, Point position) {
    if (has_motion_[life]) set_base(life, tick, advanced(course_of_base(life), tick - bases_[life].tick));
    bases_[life] = {tick, position};
  });
}

/// What the logs say of it begins after this tick; until then the base tells.
Tick CourseLog::end_of_base(LifeIndex life) const {
  return std::max(bases_[life].tick, tick_ > ticks_ ? tick_ - ticks_ : 0);
}

Motion CourseLog::motion_at(LifeIndex life, Tick tick) const {
  Motion motion = motions_[life].at_base;
  Tick since = bases_[life].tick;
  const Tick end = end_of_base(life);
  for (Tick at = tick; at > end; --at) {
    const Point* velocity = log(at).velocities.find(life);
    if (velocity == nullptr) continue;
    motion.velocity = *velocity;
    since = at;
    break;
  }
  for (Tick at = since; at > end; --at) {
    const Point* acceleration = log(at).accelerations.find(life);
    if (acceleration == nullptr) continue;
    motion.acceleration = *acceleration;
    break;
  }
  return advanced({{}, motion}, tick - since).motion;
}

/// Back to where a position was set, then forth through all motions since.
Course CourseLog::at(LifeIndex life, Tick tick) const {
  SWEEPD_ASSERT(tick >= bases_[life].tick);
  const Tick last = std::min(tick, last_changes_[life]);
  const Tick end = end_of_base(life);
  Course course = course_of_base(life);
  Tick since = bases_[life].tick;
  for (Tick at = last; at > end; --at) {
    const Point* position = log(at).positions.find(life);
    if (position == nullptr) continue;
    course = {*position, motion_at(life, at)};
    since = at;
    break;
  }
  for (Tick at = std::max(since, end) + 1; at <= last; ++at) {
    const Point* velocity = log(at).velocities.find(life);
    if (velocity == nullptr) continue;
    course = advanced(course, at - 1 - since);
    course.motion.velocity = *velocity;
    if (const Point* acceleration = log(at).accelerations.find(life))
      course.motion.acceleration = *acceleration;
    course.position = sum(course.position, *velocity);
    since = at;
  }
  return advanced(course, tick - since);
}

Tracks CourseLog::tracks(TickColumn<Point> TickLog::*column) const {
  Tracks tracks(bases_.size());
  for (Tick tick = first_logged(tick_); tick <= tick_; ++tick) {
    (log(tick).*column).for_each([&](LifeIndex life, Point) { tracks.expect(life); });
  }
  tracks.make_room();
  for (Tick tick = first_logged(tick_); tick <= tick_; ++tick) {
    (log(tick).*column).for_each([&](LifeIndex life, Point value) { tracks.add(life, {tick, value}); });
  }
  return tracks;
}

CourseLog::Builder::Builder(CourseLog& log, Tick tick)
    : log_(log), tick_(tick), entries_(tick + 1 - log.first_logged(tick)) {}

void CourseLog::Builder::add(LifeIndex life, Tick start, const Course& course, const LifeTracks& tracks) {
  log_.begin(life, start, course);
  const Tick first = log_.first_logged(tick_);
  for (const auto& [tick, value] : tracks.positions)
    entries_[tick - first].positions.push_back({life, value});
  for (const auto& [tick, value] : tracks.velocities)
    entries_[tick - first].velocities.push_back({life, value});
  for (const auto& [tick, value] : tracks.accelerations)
    entries_[tick - first].accelerations.push_back({life, value});
  Tick& last_change = log_.last_changes_[life];
  if (!tracks.positions.empty()) last_change = std::max(last_change, tracks.positions.back().tick);
  if (!tracks.velocities.empty()) last_change = std::max(last_change, tracks.velocities.back().tick);
  if (!tracks.accelerations.empty())
    log_.motions_[life].last_acceleration = tracks.accelerations.back().value;
}

void CourseLog::Builder::finish(std::size_t life_count) {
  log_.tick_ = tick_;
  log_.logs_.resize(std::min<std::size_t>(log_.ticks_, tick_ + 1));
  Tick tick = log_.first_logged(tick_);
  for (auto& [positions, velocities, accelerations] : entries_) {
    TickLog& log = log_.logs_[tick++ % log_.ticks_];
    log.positions.assign(positions, life_count);
    log.velocities.assign(velocities, life_count);
    log.accelerations.assign(accelerations, life_count);
  }
}

std::size_t CourseLog::bytes() const {
  std::size_t bytes = logs_.capacity() * sizeof(TickLog) + bases_.capacity() * sizeof(Base) +
                      motions_.capacity() * sizeof(Motions) + has_motion_.capacity() / 8 +
                      last_changes_.capacity() * sizeof(Tick);
  for (const TickLog& log : logs_)
    bytes += log.positions.bytes() + log.velocities.bytes() + log.accelerations.bytes();
  return bytes;
}

}  // namespace sweepd::match
