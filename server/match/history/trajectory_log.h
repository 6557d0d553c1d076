// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "match/history/straight_runs.h"
#include "match/history/tick_column.h"
#include "match/history/trajectory.h"
#include "match/history/trajectory_tracks.h"

namespace sweepd::match {

using collision::Tick;

/// Where every life was at the end of each of the last ticks. What goes on as the world moves it is not
/// written down, nor is what frames move straight on: that has two positions where it begins, and something
/// else, or a stop, where it ends (`StraightRuns`). Each tick has all other positions that frames set in it,
/// and the changes of motion, 8 bytes each and a bit for its life, at most 12. What a tick that is too old to
/// be asked for says goes into the base of its lives.
class TrajectoryLog {
 public:
  /// How many ticks before the last are kept; at least 1.
  explicit TrajectoryLog(std::uint32_t ticks) : ticks_(ticks) {}

  /// Of the tick in progress: it comes to be, or gets somewhere otherwise than by motion, or gets another
  /// motion, the one it has at the tick's end.
  void begin(LifetimeIndex life, Tick tick, const Trajectory& trajectory);
  void note_position(LifetimeIndex life, collision::Point position) {
    if (runs_.place(life, static_cast<TickBits>(tick_ + 1), position)) positions_.push_back({life, position});
  }
  void note_motion(LifetimeIndex life, const collision::Motion& motion);

  /// `tick` is over; ticks come one after the other. `life_count`: above all lives.
  void finish_tick(Tick tick, std::size_t life_count);

  /// At the end of `tick`, which must be kept and in which it must have lived.
  Trajectory at(LifetimeIndex life, Tick tick) const;

  // What was set in the ticks that are kept, by life.
  Tracks positions() const;
  Tracks velocities() const { return tracks(&Turns::velocities); }
  Tracks accelerations() const { return tracks(&Turns::accelerations); }

  /// Makes a log, empty so far, as it was at the end of a tick.
  class Builder;

  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Entries = std::vector<TickColumn::Entry>;

  /// Used up when it is written.
  struct TickEntries {
    Entries& positions;
    Entries& velocities;
    Entries& accelerations;
    Entries& stops;
  };

  /// What most ticks have none of.
  struct Turns {
    TickColumn velocities;
    TickColumn accelerations;  ///< Where they changed; then there is a velocity, too.
    TickColumn stops;          ///< What was moved straight on up to here; the values say nothing.
  };
  /// What was set in one tick.
  struct TickLog {
    TickColumn positions;
    std::unique_ptr<Turns> rare;
    const Turns& turns() const;
  };

  /// Where the life was at the end of `tick`, before which nothing is kept. Lives are many: this is small.
  struct Base {
    TickBits tick = 0;
    /// Since this tick it has gone on by itself, or straight. Most questions end here.
    TickBits last_change = 0;
    collision::Point position = {};
    collision::Point velocity = {};
  };
  struct Acceleration {
    collision::Point at_base;
    collision::Point last;  ///< That it has now.
  };
  struct Placed {
    Tick tick;
    collision::Point position;
  };

  Tick first_logged(Tick tick) const { return tick > ticks_ ? tick - ticks_ + 1 : 1; }
  struct Reach;
  std::vector<Reach> reaches_before(Tick first) const;
  template <typename Visit>
  void for_each_position(const Visit& visit) const;
  Tracks tracks(TickColumn Turns::*column) const;
  const TickLog& log(Tick tick) const { return logs_[tick % ticks_]; }
  static void write(TickLog& log, const TickEntries& entries, std::size_t life_count);
  Tick whole(TickBits tick) const { return tick_ - (static_cast<TickBits>(tick_) - tick); }
  Tick base_tick(LifetimeIndex life) const { return whole(bases_[life].tick); }
  Tick last_change(LifetimeIndex life) const { return whole(bases_[life].last_change); }
  Tick end_of_base(LifetimeIndex life) const;
  collision::Motion motion_of_base(LifetimeIndex life) const;
  Trajectory trajectory_of_base(LifetimeIndex life) const {
    return {bases_[life].position, motion_of_base(life)};
  }
  /// In `accelerations_`; kNone: it never had any.
  std::uint32_t acceleration_row(LifetimeIndex life) const {
    return life < acceleration_by_life_.size() ? acceleration_by_life_[life] : kNone;
  }
  Acceleration& acceleration_of(LifetimeIndex life);
  void set_base(LifetimeIndex life, Tick tick, const Trajectory& trajectory);
  void fold(Tick tick, const TickLog& log);
  void fold_stop(LifetimeIndex life, Tick tick);
  void fold_position(LifetimeIndex life, Tick tick, collision::Point position);
  void fold_motion(LifetimeIndex life, Tick tick, const collision::Motion& motion);
  collision::Motion motion_at(LifetimeIndex life, Tick tick) const;
  Placed last_placed(LifetimeIndex life, Tick tick) const;
  std::optional<collision::Point> written_in(LifetimeIndex life, Tick tick) const;

  std::uint32_t ticks_;
  Tick tick_ = 0;              // The last that finished.
  std::vector<TickLog> logs_;  // Of tick t at t % ticks_. Grows to that many as ticks go by.
  std::deque<Base> bases_;     // By life. Not one block: see LifetimeTable.
  StraightRuns runs_;
  std::vector<std::uint32_t> acceleration_by_life_;  // As long as any life with one needed.
  std::vector<Acceleration> accelerations_;
  std::vector<std::uint32_t> free_accelerations_;
  // Of the tick in progress:
  Entries positions_;
  Entries velocities_;
  Entries new_accelerations_;
  Entries stops_;
};

class TrajectoryLog::Builder {
 public:
  Builder(TrajectoryLog& log, Tick tick);

  /// Lives ascend. It was on `trajectory` when `start` ended, before which no tick is asked for; the tracks
  /// begin after it.
  void add(LifetimeIndex life, Tick start, const Trajectory& trajectory, const LifetimeTracks& tracks);
  void finish(std::size_t life_count);

 private:
  struct OwnEntries {
    Entries positions;
    Entries velocities;
    Entries accelerations;
    Entries stops;
  };

  void add_positions(LifetimeIndex life, std::span<const TrackPoint> positions);
  OwnEntries& entries(Tick tick) { return entries_[tick - log_.first_logged(tick_)]; }

  TrajectoryLog& log_;
  Tick tick_;
  std::vector<OwnEntries> entries_;  // Of the ticks that are kept.
};

}  // namespace sweepd::match
