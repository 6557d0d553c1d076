// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "match/config.h"
#include "match/participant.h"
#include "runtime/budgets/budgets.h"
#include "runtime/journal/journal.h"

namespace sweepd::runtime {

/// What may be written of a match: a budget of its own and, where it is stepped, that of its creator, who may
/// have several. Where ticks come by time, frames have been charged to their senders already, and each of
/// these has a share of the match's budget that is left to it when others have used up all of that.
class MatchWriteBudget {
 public:
  /// `journal`: null: nothing is written, and there is always room.
  MatchWriteBudget(const Journal* journal, Payers creator, match::ClockKind clock)
      : own_(journal == nullptr ? 0 : journal->match_bytes_per_second()) {
    if (journal != nullptr && clock == match::ClockKind::kManual) creator_ = std::move(creator);
  }

  std::uint64_t bytes_per_second() const { return own_.per_second(); }
  bool has_room_of_its_own(TimePoint now) const { return own_.has_room(now); }
  /// Of a participant that has, or had, a seat: of the match, or of the number's share.
  bool has_room_of(match::ParticipantNumber number, TimePoint now) {
    return own_.has_room(now) || shares_[number].budget.has_room(now);
  }
  bool has_room(TimePoint now) const {
    return own_.has_room(now) && creator_.has_room(Resource::kJournalBytes, now);
  }

  void take(std::uint64_t bytes, TimePoint now) {
    if (bytes == 0) return;
    own_.take(bytes, now);
    creator_.charge(Resource::kJournalBytes, bytes, now);
    charge_senders(bytes, now);
  }
  /// What a participant has sent: so much of what is taken next is charged to its number's share, whose debts
  /// leaving does not get rid of.
  void note_sent(match::ParticipantNumber number, std::uint64_t bytes) {
    if (bytes_per_second() > 0) shares_[number].sent += bytes;
  }

  /// Among participants with seats. A stage, which sends what all the others meet, has two shares. What all
  /// shares give together is the match's budget, so that it is kept in the long run.
  void divide(std::span<const match::Participant> participants) {
    if (bytes_per_second() == 0) return;
    std::uint64_t count = 0;
    for (const match::Participant& one : participants) count += shares_of(one.role);
    for (const match::Participant& one : participants) {
      if (shares_of(one.role) == 0) continue;
      const std::uint64_t bytes = bytes_per_second() * shares_of(one.role) / count;
      shares_[one.number].budget.limit(std::max<std::uint64_t>(bytes, 1));
    }
  }

 private:
  static std::uint64_t shares_of(match::Role role) {
    if (role == match::Role::kObserver) return 0;
    return role == match::Role::kStage ? 2 : 1;
  }

  /// Each by how much it has sent, what the match adds itself included.
  void charge_senders(std::uint64_t bytes, TimePoint now) {
    std::uint64_t sent = 0;
    for (const auto& [number, share] : shares_) sent += share.sent;
    if (sent == 0) return;
    for (auto& [number, share] : shares_) share.budget.take(bytes * std::exchange(share.sent, 0) / sent, now);
  }

  struct Share {
    RateBudget budget;
    std::uint64_t sent = 0;  ///< Since bytes were taken.
  };
  RateBudget own_;
  std::map<match::ParticipantNumber, Share> shares_;
  Payers creator_;
};

}  // namespace sweepd::runtime
