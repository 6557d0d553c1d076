// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "base/byte_ring.h"
#include "match/match.h"

namespace sweepd::runtime {

/// A tick that brought something. Valid until the log is trimmed.
struct LoggedTick {
  match::Tick tick = 0;
  std::uint64_t digest = 0;                ///< After it.
  std::uint64_t last_sequence_number = 0;  ///< After it.
  std::uint32_t event_count = 0;
  std::uint32_t place = 0;                  ///< Of its packed events, in bytes; see EventLog.
  const match::TickFacts* facts = nullptr;  ///< Null: there are none.

  /// How much it brought, of all kinds.
  std::size_t size() const;
};

struct EventLogLimits {
  std::uint32_t retained_ticks = 0;  ///< How much is kept for streams that resume.
  std::size_t events_max = std::size_t{1} << 16;
};

/// The last ticks of a match, for all its subscribers: each has a place in here instead of a queue of its
/// own, and one that comes back goes on where it was. A tick that brought nothing costs nothing.
///
/// What is kept: the retained ticks, and what a present subscriber has yet to be told. Past `events_max` the
/// oldest ticks go, also while subscribers wait for them: those have fallen behind, and their policies say
/// what happens then. The newest tick is kept however large it is.
///
/// Thousands of matches keep seconds of events that are hardly ever asked for again: those of the newest
/// tick, which all are told, lie ready, and all others are packed to a few bytes each.
class EventLog {
 public:
  explicit EventLog(EventLogLimits limits) : EventLog(limits, 0, 0) {}
  /// Of a match that has come up to here, of which nothing earlier is known.
  EventLog(EventLogLimits limits, const match::Match& match)
      : EventLog(limits, match.tick(), match.last_sequence_number()) {}

  /// Names this life of the log, so that a place in another one is not taken for one in this. Never 0.
  std::uint64_t epoch() const { return epoch_; }

  void append(const match::TickOutput& output);

  /// Lets go what need not be kept. All present subscribers have been told the ticks up to `told_to_all`.
  void trim(match::Tick told_to_all);

  /// Whether a subscriber that has seen everything up to that number can go on from there: all that came
  /// after it is in the retained ticks. What is kept longer for slow subscribers does not count: whether one
  /// may come back does not depend on others.
  bool covers(std::uint64_t sequence_number) const;

  /// How many ticks it has: those that brought something.
  std::size_t tick_count() const { return rows_.size(); }
  /// `index`: 0 is the oldest's.
  LoggedTick tick(std::size_t index) const;
  /// There must be one.
  LoggedTick newest_tick() const { return tick(tick_count() - 1); }
  /// The index of the first that is after that tick, or has an event after that number.
  std::size_t first_after(match::Tick tick, std::uint64_t sequence_number) const;
  /// Of the last event of that tick, or of an earlier one.
  std::uint64_t sequence_number_at(match::Tick tick) const { return sequence_number_before(end_of(tick)); }
  /// The index of the first that is after that tick.
  std::size_t end_of(match::Tick tick) const { return first_after(tick, ~std::uint64_t{0}); }
  /// `tick`: one of those. `room`: where they are unpacked to if need be; valid as long as it, and until the
  /// next tick.
  std::span<const collision::Event> events_of(const LoggedTick& tick,
                                              std::vector<collision::Event>& room) const;
  match::Tick last_tick() const { return last_tick_; }
  std::uint64_t last_sequence_number() const { return last_sequence_number_; }
  /// As it was before the newest tick that brought something.
  std::uint64_t sequence_number_before_newest() const;
  /// The last tick, and the last event, that have been let go; 0: none.
  match::Tick forgotten_tick() const { return forgotten_tick_; }
  std::uint64_t forgotten_sequence_number() const { return forgotten_sequence_number_; }
  /// Events, and what else a tick may bring, in all of them.
  std::size_t size() const { return size_; }

 private:
  EventLog(EventLogLimits limits, match::Tick tick, std::uint64_t sequence_number);
  /// Of a tick, as small as can be: it is kept for seconds. Of numbers that only grow, the low halves.
  struct Row {
    std::uint32_t tick;
    std::uint32_t last_sequence_number;
    std::uint32_t place;
    std::uint32_t digest_low;
    std::uint32_t digest_high;
  };
  /// No tick is kept for longer, so that the low half tells which it is.
  static constexpr match::Tick kAgeMax = ~std::uint32_t{0};

  match::Tick tick_of(const Row& row) const {
    return last_tick_ - (static_cast<std::uint32_t>(last_tick_) - row.tick);
  }
  std::uint64_t last_sequence_number_of(const Row& row) const {
    return last_sequence_number_ -
           (static_cast<std::uint32_t>(last_sequence_number_) - row.last_sequence_number);
  }
  std::uint64_t sequence_number_before(std::size_t index) const {
    return index == 0 ? forgotten_sequence_number_ : last_sequence_number_of(rows_[index - 1]);
  }
  bool is_retained(match::Tick tick) const { return tick + limits_.retained_ticks > last_tick_; }
  bool may_let_go(match::Tick tick, match::Tick told_to_all) const;
  void pack_newest();

  EventLogLimits limits_;
  std::uint64_t epoch_;
  std::deque<Row> rows_;                           ///< By tick.
  std::map<match::Tick, match::TickFacts> facts_;  ///< Of those that have some.
  std::vector<collision::Event> newest_;           ///< Those of the last of `rows_`,
  base::ByteRing packed_;                          ///< and of the others, one after the other.
  std::uint32_t packed_front_ = 0;  ///< Of how many bytes that came the front is the next; modulo 2^32.
  std::size_t size_ = 0;
  match::Tick last_tick_ = 0;
  std::uint64_t last_sequence_number_ = 0;
  match::Tick forgotten_tick_ = 0;
  std::uint64_t forgotten_sequence_number_ = 0;
};

}  // namespace sweepd::runtime
