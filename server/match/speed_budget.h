// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "collision/object.h"

namespace sweepd::match {

/// Rounded up; so a way is within a whole number exactly when its length is.
std::uint64_t length_of(std::int64_t dx, std::int64_t dy);

/// How fast `motion` takes an object in its next tick.
std::uint64_t next_speed(const collision::Motion& motion);

/// The highest speed that `motion` reaches in `ticks` ticks (at least 1); nothing where it grows for ever:
/// kForever and accelerated.
std::optional<std::uint64_t> peak_speed(const collision::Motion& motion, collision::Tick ticks);

struct SpeedLimit {
  std::uint32_t speed_max = 0;  ///< Subunits per tick.
  std::uint32_t budget_ticks = 1;
  std::uint32_t place = 0;  ///< Index of the layer's limits, or of the template, in the config.
  bool is_of_template = false;
  /// So many ticks' way at most are taken in one tick; 0: all that is left.
  std::uint32_t spent_ticks_max = 0;
};

/// How far an object may still be moved in the tick in progress: each tick adds speed_max, each move takes
/// its length, and so does the server's motion. What is not used is saved, up to speed_max * budget_ticks:
/// frames that come late, or two ticks in one frame, move an object by more than speed_max at once, and yet
/// by no more than it had time for. Two moves in one tick are worth what one is.
class SpeedBudget {
 public:
  /// Of an object that comes under its limit in `tick`, with the speed of its motion in that tick; of both
  /// the latter has been taken already.
  SpeedBudget(const SpeedLimit& limit, collision::Tick tick, std::uint64_t motion_speed);

  /// Adds what has come since the tick it was settled for, less what motion took.
  void settle(const SpeedLimit& limit, collision::Tick tick, std::uint64_t motion_speed);

  /// False, and nothing taken: there is not so much left for this tick.
  bool take(const SpeedLimit& limit, std::uint64_t length);
  /// The motion in this tick is another. The same.
  bool change_motion(const SpeedLimit& limit, std::uint64_t motion_speed);

  /// For moves in this tick.
  std::uint64_t left(const SpeedLimit& limit) const;
  /// Whether the object goes farther in this tick than speed_max: it takes of what it has saved.
  bool takes_of_savings(const SpeedLimit& limit) const;

  /// As seen in `tick`, in which it may be settled next.
  void save(base::ByteWriter& writer, collision::Tick tick) const;
  static SpeedBudget read(base::ByteReader& reader, collision::Tick tick);

 private:
  SpeedBudget() = default;

  collision::Tick settled_for_ = 0;
  std::uint64_t motion_speed_ = 0;  ///< In that tick.
  std::uint64_t left_ = 0;
  std::uint64_t taken_ = 0;  ///< In that tick, by moves. Not saved: the next tick takes anew.
};

}  // namespace sweepd::match
