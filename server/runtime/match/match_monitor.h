// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "match/match.h"
#include "runtime/loop/loop_figures.h"
#include "runtime/match/end_cause.h"
#include "runtime/match/match_id.h"

namespace sweepd::runtime {

enum class MatchState : std::uint8_t { kWaiting, kRunning, kPaused, kEnded };
static_assert(static_cast<std::size_t>(MatchState::kEnded) + 1 == kMatchStates);

/// What a match keeps after a tick.
struct KeptByMatch {
  std::size_t events = 0;
  std::size_t frames_waiting = 0;
  std::size_t sight_bytes = 0;  ///< Of the sight log.
};

/// Tells of one match: the log, of its state, joins and departures; the figures of its loop, of what it does.
/// On the match's loop. Changes nothing.
class MatchMonitor {
 public:
  MatchMonitor(LoopFigures& figures, const match::Match& match, MatchId id);
  ~MatchMonitor();
  MatchMonitor(const MatchMonitor&) = delete;
  MatchMonitor& operator=(const MatchMonitor&) = delete;

  /// Once. `is_back`: from the journal.
  void began(MatchState state, bool is_back);
  /// Whenever it may be another than before.
  void note_state(MatchState state);
  void ended(EndCause cause);
  /// Its clock waited as long as it may.
  void waited_in_vain(match::StartTimeout outcome);

  /// The match's part in the figures of its loop goes over to those of another. While neither loop runs
  /// anything else.
  void move_to(LoopFigures& figures);

  void joined(const match::Participant& participant);
  void came_back(match::ParticipantNumber number);
  void is_away(match::ParticipantNumber number);
  /// For good.
  void left(std::span<const match::ParticipantNumber> numbers);

  /// What a tick has brought.
  void took(const match::TickOutput& output);
  /// What was refused in it, or since.
  void took_refusals(const match::TickOutput& output);
  void note_kept(const KeptByMatch& kept);

 private:
  void note_lateness();
  void note_refused(const match::TickOutput& output);
  void log_rejections(const match::TickOutput& output) const;

  LoopFigures* figures_;
  const match::Match& match_;
  const MatchId id_;
  MatchState state_ = MatchState::kEnded;  ///< As the figures know it.
  KeptByMatch kept_;                       ///< The same.
  match::Lateness lateness_;               ///< As far as the figures have it.
};

}  // namespace sweepd::runtime
