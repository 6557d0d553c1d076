// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "match/match.h"
#include "runtime/match/match_clock.h"

namespace sweepd::runtime {

class MatchHost;

/// Consecutive sequence numbers, inclusive.
struct SequenceRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  friend bool operator==(const SequenceRange&, const SequenceRange&) = default;
};

/// What a subscriber is told of a tick, or of several that brought it nothing. Valid during the call only.
///
/// There are two kinds of facts. Those of a tick (events, rejections) are told once, in order. Those that
/// stand for the state of the match (scores, who is away, the clock) are told whole whenever they have
/// changed, so that the last one wins and nothing has to be made up for after a gap.
struct TickReport {
  match::Tick tick = 0;
  std::uint64_t digest = 0;
  std::uint64_t last_sequence_number =
      0;  ///< Everything up to it has been told, but for what the fields below say.
  std::span<const collision::Event> events = {};
  std::span<const match::Destruction> destructions = {};  ///< See TickFacts.
  std::span<const match::ParticipantNumber> late_participants = {};
  std::span<const match::Rejection> rejections = {};         ///< Of the subscriber's own frames.
  bool names_participants = false;                           ///< Rejections say of whose frames they are.
  std::uint64_t rejections_not_listed = 0;                   ///< Further ones.
  std::span<const match::ClaimVerdict> claim_verdicts = {};  ///< On claims of the subscriber's own frames.
  std::span<const match::ClaimVerdict> claim_warnings = {};  ///< On those of others.
  std::optional<SequenceRange> gap = {};  ///< Events that were dropped, before all that follow.
  /// The open encounters in place of the events that led to them.
  std::optional<std::span<const collision::Encounter>> snapshot = {};
  std::optional<std::span<const collision::Encounter>> stays =
      {};  ///< Entered before the tick, open after it.
  std::optional<std::span<const match::ParticipantNumber>> absences =
      {};                                ///< Who is away: all of them, by number.
  std::optional<ClockState> clock = {};  ///< Has changed. The tick may then be that of the report before.
  std::span<const match::Score> scores = {};  ///< Those that changed.
  std::span<const match::OwnerChange> owner_changes = {};
  std::span<const match::ToldMessage> messages = {};
  std::span<const std::string_view> world = {};  ///< Encoded WorldTicks, by tick.
};

/// Takes in what a subscriber is told next.
class ReportSink {
 public:
  virtual void add(const TickReport& report) = 0;
  /// The rest can wait for the next update.
  virtual bool is_full() const = 0;

 protected:
  ~ReportSink() = default;
};

/// A stream, say, that follows a match, on the match's loop. It may leave the match from within tick_has_run,
/// but change nothing else of it.
class Subscriber {
 public:
  /// A tick of a REALTIME match is due: what has come for it counts if it is submitted now. Anything may be
  /// done with the match from within.
  virtual void tick_is_due() {}

  /// There may be something to collect from its subscription, at once or whenever it has room for it.
  virtual void tick_has_run() = 0;

  /// The match is over: nothing can be done with it any more. `match_ended` comes when it is the subscriber's
  /// turn, as a match of a thousand watchers would hold the others of its loop up by telling all at once; one
  /// that is gone by then calls MatchHost::forget.
  virtual void match_is_over() {}

  /// The last call: all has been told of the match. The subscription can be collected from within it, not
  /// later.
  virtual void match_ended(const MatchHost& host) = 0;

  /// The last call: its participant, the last one if it had several, goes on with another stream. The
  /// subscription is gone.
  virtual void replaced() = 0;

  /// One of several participants goes on with another stream; the others are here still.
  virtual void seat_replaced(match::ParticipantNumber /*number*/) {}

  /// The match and its subscribers have moved to the loop of that number: what comes from now on comes there.
  /// Told by the thread of the loop that it leaves, while the other's stands still.
  virtual void match_moved(std::size_t /*loop*/) {}

  /// Whether so much waits to be taken that a match which can wait should wait. A subscriber that was behind
  /// and has taken something calls MatchHost::resume_ticks.
  virtual bool is_behind() const = 0;

 protected:
  ~Subscriber() = default;
};

}  // namespace sweepd::runtime
