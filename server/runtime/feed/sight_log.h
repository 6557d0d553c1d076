// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "match/match.h"
#include "match/visibility/visibility.h"

namespace sweepd::runtime {

/// Which seats see which events of a match with rules of visibility. Decided once, when an encounter begins
/// and everything is where it was: its end is told to those that were told its beginning, in whatever way the
/// two have moved since. As long as the event log, a word for each event.
///
/// All of this is decided for every player of the match, followed or not: so what a tick costs depends on
/// what happens in the match, and not on its subscribers. Distances count as work of the tick (Lookout), up
/// to as many tests as the match may have in one. A tick that takes more is the match's last: its host ends
/// it as if by a request, which is recorded, so that a replay ends with the same tick and asks no rule. What
/// of that tick is undecided is told to the owners of either side alone.
class SightLog {
 public:
  explicit SightLog(const match::Match& match);

  const match::Visibility& rules() const { return rules_; }

  /// What the log takes, too,
  void take(const match::TickOutput& output);
  /// and lets go.
  void forget(std::uint64_t sequence_number, match::Tick tick);
  /// Of the claim verdicts of the tick that was taken last, by index, that one says what its claimant may not
  /// know: it is not confirmed, and the claimant does not see the target as it was after the tick that was
  /// judged, or as it is now where none was.
  bool hides_target(std::size_t index) const {
    return index < are_targets_hidden_.size() && are_targets_hidden_[index];
  }
  /// The last tick had more to look at than the match's budget of tests has.
  bool is_over_budget() const { return is_over_budget_; }
  /// A new participant has the number: it has not been told what came before.
  void begin_seat(match::ParticipantNumber number);

  // `viewer`: not one that sees all.
  bool sees(const match::Viewer& viewer, const collision::Event& event) const;
  /// `index`: among those of the tick.
  bool sees_destruction(const match::Viewer& viewer, match::Tick tick, std::size_t index,
                        const match::Destruction& destruction) const;
  /// Of an encounter that is open.
  bool sees_open(const match::Viewer& viewer, const collision::EncounterKey& key) const;

  /// About what it takes: bounded by what the event log keeps, and by the match's budget of overlapping
  /// pairs.
  std::size_t bytes() const;

 private:
  using Seats = match::SeatBits;

  class Eyes;
  void take_claims(std::span<const match::ClaimVerdict> verdicts, std::uint64_t tests_left);
  bool sees_layers(match::Role role, collision::LayerId a, collision::LayerId b) const {
    return rules_.sees_all_of(role, a) && rules_.sees_all_of(role, b);
  }
  Seats seats_of(const match::Viewer& viewer) const;

  const match::Match& match_;
  match::Visibility rules_;
  std::deque<Seats> events_;     ///< From that after `forgotten_` on.
  std::uint64_t forgotten_ = 0;  ///< The sequence number before that of the first of them.
  std::map<match::Tick, std::vector<Seats>> destructions_;
  std::size_t destruction_count_ = 0;              ///< Of all these.
  std::map<collision::EncounterKey, Seats> open_;  ///< Those that some players may not see.
  struct Begin {
    std::uint64_t sequence_number = 0;
    match::Tick tick = 0;
  };
  std::array<Begin, match::kParticipantsMax> begins_ = {};  ///< Of seats, by number.
  bool is_over_budget_ = false;
  std::vector<bool> are_targets_hidden_;  ///< By index of the last tick's claim verdicts.
};

}  // namespace sweepd::runtime
