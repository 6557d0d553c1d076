// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "match/history/course.h"
#include "match/history/course_tracks.h"
#include "match/history/tick_column.h"

namespace sweepd::match {

using collision::Tick;

/// Where every life was at the end of each of the last ticks. What goes on as the world moves it is not
/// written down: each tick has the positions that frames set in it and the changes of motion, 8 bytes each
/// and a bit for its life, at most 12. What a tick that is too old to be asked for says goes into the base of
/// its lives.
class CourseLog {
 public:
  /// How many ticks before the last are kept; at least 1.
  explicit CourseLog(std::uint32_t ticks) : ticks_(ticks) {}

  /// Of the tick in progress: it comes to be, or gets somewhere otherwise than by motion, or gets another
  /// motion, the one it has at the tick's end.
  void begin(LifeIndex life, Tick tick, const Course& course);
  void note_position(LifeIndex life, collision::Point position) { positions_.push_back({life, position}); }
  void note_motion(LifeIndex life, const collision::Motion& motion);

  /// `tick` is over; ticks come one after the other. `life_count`: above all lives.
  void finish_tick(Tick tick, std::size_t life_count);

  /// At the end of `tick`, which must be kept and in which it must have lived.
  Course at(LifeIndex life, Tick tick) const;

  // What was set in the ticks that are kept, by life.
  Tracks positions() const { return tracks(&TickLog::positions); }
  Tracks velocities() const { return tracks(&TickLog::velocities); }
  Tracks accelerations() const { return tracks(&TickLog::accelerations); }

  /// Makes a log, empty so far, as it was at the end of a tick.
  class Builder;

  std::size_t bytes() const;

 private:
  /// What was set in one tick.
  struct TickLog {
    TickColumn<collision::Point> positions;
    TickColumn<collision::Point> velocities;
    TickColumn<collision::Point> accelerations;  ///< Where they changed; then there is a velocity, too.
  };
  using Entries = std::vector<TickColumn<collision::Point>::Entry>;

  /// Where the life was at the end of `tick`, before which nothing is kept.
  struct Base {
    Tick tick = 0;
    collision::Point position;
  };
  struct Motions {
    collision::Motion at_base;
    collision::Point last_acceleration;  ///< That it has now.
  };

  Tick first_logged(Tick tick) const { return tick > ticks_ ? tick - ticks_ + 1 : 1; }
  Tracks tracks(TickColumn<collision::Point> TickLog::*column) const;
  const TickLog& log(Tick tick) const { return logs_[tick % ticks_]; }
  Tick end_of_base(LifeIndex life) const;
  Course course_of_base(LifeIndex life) const { return {bases_[life].position, motions_[life].at_base}; }
  void set_base(LifeIndex life, Tick tick, const Course& course);
  void fold(Tick tick, const TickLog& log);
  collision::Motion motion_at(LifeIndex life, Tick tick) const;

  std::uint32_t ticks_;
  Tick tick_ = 0;                 // The last that finished.
  std::vector<TickLog> logs_;     // Of tick t at t % ticks_. Grows to that many as ticks go by.
  std::vector<Base> bases_;       // By life; apart from the motions, as most that frames move have none.
  std::vector<Motions> motions_;  // By life.
  std::vector<bool> has_motion_;  // By life: whether its base has any.
  /// By life: since this tick it has gone on by itself. Most questions of what moves by itself end here.
  std::vector<Tick> last_changes_;
  // Of the tick in progress:
  Entries positions_;
  Entries velocities_;
  Entries accelerations_;
};

class CourseLog::Builder {
 public:
  Builder(CourseLog& log, Tick tick);

  /// Lives ascend. It was on `course` when `start` ended, before which nobody will ask; the tracks begin
  /// after it.
  void add(LifeIndex life, Tick start, const Course& course, const LifeTracks& tracks);
  void finish(std::size_t life_count);

 private:
  struct TickEntries {
    Entries positions;
    Entries velocities;
    Entries accelerations;
  };

  CourseLog& log_;
  Tick tick_;
  std::vector<TickEntries> entries_;  // Of the ticks that are kept.
};

}  // namespace sweepd::match
