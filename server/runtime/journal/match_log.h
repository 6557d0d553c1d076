// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "replay/ending.h"
#include "replay/recorder.h"
#include "runtime/journal/journal.h"
#include "runtime/journal/match_origin.h"
#include "runtime/journal/stored_state.h"

namespace sweepd::runtime {

/// A key frame comes with every so many ticks: so much is played again at most when a server comes back, or
/// to reach a place in a replay.
inline constexpr match::Tick kKeyFrameTicks = 1200;

/// Every state has the seat holders that no key frame has, so a client that joins and leaves under new names
/// would write them again each time. At this many the next tick brings a key frame; holders past it that
/// leave before that tick are lost in a crash, with no input of theirs in the match.
inline constexpr std::size_t kNewHoldersMax = 32;

/// Writes down in the journal, if there is one, what a recorder keeps of a match. On the match's loop.
///
/// Where the journal refuses a record, the log has a hole: what comes is not written until there is room, and
/// then the log goes on from a key frame. Its durable tick stands still meanwhile.
class MatchLog {
 public:
  struct Options {
    Journal* journal = nullptr;  ///< Null: none.
    JournalKey key = 0;
    replay::Cast cast = {};                  ///< The participants until now, of a match that has come back.
    std::optional<MatchOrigin> origin = {};  ///< Of a new match.
    /// Of a match that has come back: its clock, and the history of that.
    std::optional<ClockState> clock = {};
    replay::Timeline timeline = {};
    std::vector<replay::SeatHolder> holders = {};  ///< Of its state.
  };
  /// `recorder`: keeps ticks where there is a journal.
  MatchLog(replay::Recorder& recorder, Options options);

  /// After each tick.
  void write_tick();

  /// What is kept beside the ticks, whenever it has changed. Its tick and arrivals are filled in here.
  void write_state(StoredState state);

  /// The last tick from which, or from after which, the match will go on should the server die now. 0: there
  /// is none, or no journal.
  match::Tick durable_tick() const;

  /// Of what was appended last; 0: nothing, or there is a hole.
  Journal::Position position() const {
    return writing_ == nullptr || writing_->has_hole ? 0 : writing_->position;
  }
  /// Ticks are missing: there will be no whole replay.
  bool has_lost_ticks() const { return writing_ != nullptr && writing_->has_lost_ticks; }

  /// So much waits that a match which can wait should. False while the disk takes nothing: that may last.
  bool is_crowded() const;

  /// How much has been written since this was asked last.
  std::uint64_t take_written_bytes() { return writing_ ? std::exchange(writing_->written_bytes, 0) : 0; }

  /// What the match has come to, as of now.
  replay::Ending ending(replay::EndReason reason) const;

 private:
  struct Waiting {
    Journal::Position position;
    std::optional<match::Tick> tick;  ///< From which it can be gone on with.
    std::size_t bytes;
  };
  /// What only a match with a journal needs: a few kilobytes.
  struct Writing {
    Writing(match::Tick durable_tick, Options options);
    /// What is durable changes by itself; what is known of it here follows when it is asked for.
    void note_durable();

    Journal& journal;
    const JournalKey key;
    std::optional<MatchOrigin> origin;  ///< Until the journal has it.
    StoredState state;
    std::vector<replay::SeatHolder> new_holders;  ///< That no key frame has yet.
    bool has_hole = false;
    bool has_lost_ticks = false;
    Journal::Position position = 0;
    std::deque<Waiting> waiting;  ///< Records that are not durable; as many as the queue holds.
    std::size_t waiting_bytes = 0;
    std::uint64_t written_bytes = 0;
    match::Tick durable_tick;
  };

  void write_ending();
  void write_key_frame();
  void append(RecordKind kind, std::string content);
  void begin_anew();
  void note_time();
  void note_clock(const ClockState& clock);
  void note_holders(const std::vector<StoredState::Owner>& owners);
  bool has_many_holders() const { return writing_->new_holders.size() >= kNewHoldersMax; }

  replay::Recorder& recorder_;
  const match::Match& match_;
  replay::Cast cast_;
  replay::Timeline timeline_;
  ClockState clock_;  ///< As it was noted last.
  /// The same, with the names: a ticket may take its number again under another one.
  std::vector<std::pair<StoredState::Owner, std::string>> noted_owners_ = {};
  const std::unique_ptr<Writing> writing_;  ///< Null: there is no journal.
};

}  // namespace sweepd::runtime
