// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "match/match.h"

namespace sweepd::runtime {

/// An event without what its tick says: thousands of matches keep seconds of these.
struct LoggedEvent {
  collision::ObjectId object_a = 0;
  collision::ObjectId object_b = 0;
  collision::TimeOfImpact time_of_impact = collision::kEndOfTick;
  collision::LayerId layer_a = 0;
  collision::LayerId layer_b = 0;
  collision::PartPair parts;
  collision::ExitReason reason = collision::ExitReason::kNone;  ///< kNone: an ENTER.
  std::uint8_t owner_a = 0;
  std::uint8_t owner_b = 0;
};

/// A tick that brought something.
struct LoggedTick {
  /// What few ticks bring.
  struct Rest {
    std::vector<match::Destruction> destructions;
    std::vector<match::ParticipantNumber> late_participants;
    std::vector<match::OwnerChange> owner_changes;
  };

  match::Tick tick = 0;
  std::uint64_t digest = 0;                ///< After it.
  std::uint64_t last_sequence_number = 0;  ///< After it.
  std::vector<LoggedEvent> events;
  std::unique_ptr<const Rest> rest;  ///< Null: there is none.

  /// The event at that place.
  collision::Event event(std::size_t index) const;
  match::EventOwners owners(std::size_t index) const {
    return {events[index].owner_a, events[index].owner_b};
  }
  std::span<const match::Destruction> destructions() const;
  std::span<const match::ParticipantNumber> late_participants() const;
  std::span<const match::OwnerChange> owner_changes() const;

  /// How much it brought, of all kinds.
  std::size_t size() const;
};

struct EventLogLimits {
  std::uint32_t retained_ticks = 0;  ///< How much is kept for who comes back.
  std::size_t events_max = std::size_t{1} << 16;
};

/// The last ticks of a match, for all who follow it: each subscriber has a place in here instead of a queue
/// of its own, and one who comes back goes on where it was. A tick that brought nothing costs nothing.
///
/// What is kept: the retained ticks, and what somebody who is here has yet to be told. Past `events_max` the
/// oldest ticks go, whoever waits for them: they have fallen behind, and what happens then is for their
/// policies to say. The newest tick is kept however large it is.
class EventLog {
 public:
  explicit EventLog(EventLogLimits limits) : EventLog(limits, 0, 0) {}
  /// Of a match that has come up to here, of which nothing earlier is known.
  EventLog(EventLogLimits limits, const match::Match& match)
      : EventLog(limits, match.tick(), match.last_sequence_number()) {}

  /// Names this life of the log, so that a place in another one is not taken for one in this. Never 0.
  std::uint64_t epoch() const { return epoch_; }

  void append(const match::TickOutput& output);

  /// Lets go what need not be kept. Ticks up to `told_to_all` have been told everybody who is here.
  void trim(match::Tick told_to_all);

  /// Whether who has seen everything up to that number can go on from there: all that came after it is in the
  /// retained ticks. What is kept longer, because somebody else is slow, does not count: who may come back
  /// does not depend on others.
  bool covers(std::uint64_t sequence_number) const;

  const std::deque<LoggedTick>& ticks() const { return ticks_; }
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
  bool is_retained(const LoggedTick& tick) const { return tick.tick + limits_.retained_ticks > last_tick_; }
  bool may_let_go(const LoggedTick& tick, match::Tick told_to_all) const;

  EventLogLimits limits_;
  std::uint64_t epoch_;
  std::deque<LoggedTick> ticks_;
  std::size_t size_ = 0;
  match::Tick last_tick_ = 0;
  std::uint64_t last_sequence_number_ = 0;
  match::Tick forgotten_tick_ = 0;
  std::uint64_t forgotten_sequence_number_ = 0;
};

}  // namespace sweepd::runtime
