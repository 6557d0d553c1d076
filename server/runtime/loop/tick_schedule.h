// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "runtime/clock.h"

namespace sweepd::runtime {

/// Names a ticking thing within its schedule.
using TickerId = std::uint64_t;

inline constexpr std::uint32_t kPhaseGroups = 16;
/// How many missed ticks may be run beside the one that is due, to catch up; what is missed beyond is
/// skipped: a server that has stalled must not spend its next second on making up for the last. One whose
/// ticks take longer than real time does not catch up at all.
inline constexpr std::uint32_t kCatchUpTicksMax = 4;
/// The most that may be asked for.
inline constexpr std::uint32_t kCatchUpTicksMaxMax = 64;

/// A tick as it was to be.
struct DueTick {
  TimePoint due = {};
  std::uint64_t skipped = 0;  ///< How many of the same ticker were skipped since the one before.
};

/// Which match is due when. Each runs at its own rate; their phases are spread over the tick interval,
/// because all at the same instant would make the last of them late. Or it is an alarm, which is due once, at
/// a time that is set again and again: a deadline. Every due tick is run by one walk: a timer per match would
/// cost a hundred times as much. Running ticks and setting alarms asks the heap for nothing.
///
/// Of the ticks that are due the cheapest runs first, by what its ticker's last ones took: a match whose
/// ticks take milliseconds makes its neighbours late by one of them, and many such matches by no more. Where
/// the loop has too much to do, it is the expensive ones that fall behind. A walk hands over to the network
/// between expensive ticks, and goes on with the next call.
class TickSchedule {
 public:
  /// `epoch`: where phase 0 lies. Any time will do. `catch_up_ticks_max`: at most kCatchUpTicksMaxMax.
  explicit TickSchedule(TimePoint epoch, std::uint32_t catch_up_ticks_max = kCatchUpTicksMax);
  TickSchedule(const TickSchedule&) = delete;
  TickSchedule& operator=(const TickSchedule&) = delete;

  /// `tick` runs `rate_hz` times a second; the first time within one interval after `now`. `prepare` runs
  /// once a round before the first of its ticks, and may change any ticker, this one included.
  TickerId add(std::uint32_t rate_hz, TimePoint now, std::function<void()> tick,
               std::function<void()> prepare = {});

  /// `tick` runs when the alarm that has been set is due, once for each time.
  TickerId add_alarm(std::function<void()> tick);

  /// The next tick comes one interval of the new rate after the last one was due, or at once if that has
  /// passed. Not from within the tick itself.
  void set_rate(TickerId id, std::uint32_t rate_hz, TimePoint now);

  /// Instead of when it was due before, if it was. Also from within a tick, its own included.
  void set_alarm(TickerId id, TimePoint due);

  /// Also from within a tick, its own included.
  void remove(TickerId id);

  /// A ticker goes over to another schedule, due there when it was due here, though not on the phase that its
  /// new name would have: that would skip a tick, or double one. What it is named there. Not from within a
  /// tick, of either.
  TickerId move(TickerId id, TickSchedule& target);

  std::optional<TimePoint> next_due() const;

  /// Runs what is due, of equal costs the earliest first: all of it, or for kRoundTimeMax.
  void run_due(const Clock& clock);

  /// The tick that runs. From within it only.
  const DueTick& running() const;

 private:
  struct Place {
    unsigned cost = 0;  ///< Its class while the ticker is due; before, 0.
    TimePoint due;
    TickerId id = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  using Queue = std::set<Place>;

  struct Ticker {
    std::function<void()> tick;
    std::function<void()> prepare;
    std::uint32_t rate_hz = 0;  ///< 0: an alarm, due at the origin.
    TimePoint origin;  ///< Due times are multiples of the interval from here: no rounding error adds up.
    std::uint64_t intervals = 0;       ///< From the origin to the next due time.
    std::uint64_t skipped = 0;         ///< Ticks, since the last one.
    std::uint32_t behind = 0;          ///< Ticks in a row after which the next was due already.
    std::uint64_t prepared_round = 0;  ///< The last round in which it was prepared.
    Duration cost{};                   ///< About what its ticks take of late.
    Place place = {};                  ///< Where it is queued.
    Queue* queue = nullptr;            ///< Null: in none.
    Queue::node_type node = {};        ///< Its node while it is not queued: to be put back without a new one.
    bool removed = false;

    bool is_alarm() const { return rate_hz == 0; }
    TimePoint due() const;
  };

  static void put(Ticker& ticker, Queue& queue, const Place& place);
  void enqueue(TickerId id, Ticker& ticker) {
    put(ticker, waiting_, {.cost = 0, .due = ticker.due(), .id = id});
  }
  static void dequeue(Ticker& ticker);
  void find_due(TimePoint now);
  TimePoint run_first(TimePoint now, const Clock& clock);
  void prepare(TickerId id, Ticker& ticker);
  void set_next_interval(Ticker& ticker, TimePoint begin, TimePoint end) const;
  static void skip_what_is_due(Ticker& ticker, TimePoint now);
  TimePoint first_due(TickerId id, std::uint32_t rate_hz, TimePoint now) const;

  const TimePoint epoch_;
  const std::uint32_t catch_up_ticks_max_;
  TickerId last_id_ = 0;
  TimePoint walk_begin_;
  std::uint64_t round_ = 0;  ///< Calls of run_due().
  std::optional<TickerId> running_;
  std::optional<TickerId> preparing_;
  DueTick running_tick_;
  std::unordered_map<TickerId, Ticker> tickers_;
  Queue waiting_;  ///< Those that will be due, and...
  Queue due_;      ///< ...those that are, cheapest first.
};

}  // namespace sweepd::runtime
