// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "match/claims/claim.h"
#include "match/rejection_counts.h"
#include "runtime/clock.h"
#include "runtime/match/end_cause.h"
#include "runtime/match/refused_participants.h"
#include "runtime/telemetry/log.h"

namespace sweepd::runtime {

/// Changed by one thread, read by any: without a lock, or an instruction that locks.
class OwnCount {
 public:
  void add(std::uint64_t count = 1) { set(value() + count); }
  void subtract(std::uint64_t count) { set(value() - count); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  void set(std::uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  std::atomic<std::uint64_t> value_ = 0;
};

/// Times, counted in buckets from what a small match takes to what every player notices. In the same way.
class TimeFigures {
 public:
  static constexpr std::array<double, 16> kBoundsSeconds{0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005,
                                                         0.001,   0.0025,   0.005,   0.01,   0.025,   0.05,
                                                         0.1,     0.25,     0.5,     1};

  void observe(Duration time);

  /// Of the bucket alone; the last is beyond all bounds.
  std::uint64_t count(std::size_t bucket) const { return counts_.at(bucket).value(); }
  double sum_seconds() const;

 private:
  std::array<OwnCount, kBoundsSeconds.size() + 1> counts_;
  OwnCount nanoseconds_;
};

/// What a tick of a match spends its time on, in this order.
enum class TickPhase : std::uint8_t {
  kStep,     ///< Frames apply, objects move and meet.
  kJournal,  ///< What happened is kept: in the journal, and in the log that streams are told from.
  kTell,     ///< Streams collect what is theirs, and their updates are encoded and handed to the door.
};
inline constexpr std::size_t kTickPhases = 3;

/// What becomes of readers that fall behind: the numbers of WhenFull.
inline constexpr std::size_t kWhenFullEnd = 4;
inline constexpr std::size_t kMatchStates = 4;

/// Clients cause the lines that the log has of matches. More of a kind in a second is no news, or an attack.
inline constexpr std::uint32_t kMatchLinesPerSecondMax = 200;

/// What a loop does, in figures. Changed by the loop's thread only; read from any.
struct LoopFigures {
  TimeFigures tick;
  std::array<TimeFigures, kTickPhases> phases;
  TimeFigures lateness;  ///< From when a tick was due until it began.

  OwnCount frames;           ///< That came in, refused or not.
  OwnCount late_frames;      ///< For ticks that had run.
  OwnCount bunched_frames;   ///< See match::Participant.
  OwnCount frames_waiting;   ///< For their ticks, when the last tick of their match was over.
  OwnCount updates;          ///< Handed to the door.
  OwnCount events;           ///< All that ticks brought.
  OwnCount events_kept;      ///< In the logs of the matches that run.
  OwnCount sight_bytes;      ///< Of the sight logs.
  OwnCount matches_created;  ///< Those that came back from the journal as well.
  OwnCount matches_ended;
  std::array<OwnCount, kEndCauses> matches_ended_for;  ///< By EndCause.
  OwnCount ticks_skipped;                              ///< That were due while the loop could not run them.
  OwnCount matches_moved;                              ///< Away, to another loop.
  std::array<OwnCount, kMatchStates> matches;          ///< By MatchState.
  std::array<OwnCount, match::kRejectionReasonsEnd> rejections;  ///< By RejectionReason.
  RefusedParticipants refused_participants;
  OwnCount rejections_not_listed;                    ///< So many at once that reasons were not kept.
  std::array<OwnCount, match::kVerdictsEnd> claims;  ///< By Verdict.
  std::array<OwnCount, kWhenFullEnd> slow_readers;   ///< By WhenFull.

  // What the log has of the loop's matches.
  LogBound match_lines{kMatchLinesPerSecondMax};
  LogBound participant_lines{kMatchLinesPerSecondMax};
  LogBound rejection_lines{kMatchLinesPerSecondMax};
};

/// Measures one tick. On the loop's thread.
class TickTimer {
 public:
  TickTimer(LoopFigures& figures, const Clock& clock);
  ~TickTimer();
  TickTimer(const TickTimer&) = delete;
  TickTimer& operator=(const TickTimer&) = delete;

  /// The phase before it is over. It begins in kStep.
  void enter(TickPhase phase);

 private:
  LoopFigures& figures_;
  const Clock& clock_;
  const TimePoint begin_;
  TimePoint phase_begin_;
  TickPhase phase_ = TickPhase::kStep;
};

}  // namespace sweepd::runtime
