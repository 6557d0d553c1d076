// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "match/config.h"
#include "runtime/budgets/budgets.h"
#include "runtime/journal/journal.h"

namespace sweepd::runtime {

/// What may be written of a match: a budget of its own and, where it is stepped, that of its creator, who may
/// have several. Where ticks come by time, frames have been charged to their senders already.
class MatchWriteBudget {
 public:
  /// `journal`: null: nothing is written, and there is always room.
  MatchWriteBudget(const Journal* journal, Payers creator, match::ClockKind clock)
      : own_(journal == nullptr ? 0 : journal->match_bytes_per_second()) {
    if (journal != nullptr && clock == match::ClockKind::kManual) creator_ = std::move(creator);
  }

  std::uint64_t bytes_per_second() const { return own_.per_second(); }
  bool has_room_of_its_own(TimePoint now) const { return own_.has_room(now); }
  bool has_room(TimePoint now) const {
    return own_.has_room(now) && creator_.has_room(Resource::kJournalBytes, now);
  }

  void take(std::uint64_t bytes, TimePoint now) {
    if (bytes == 0) return;
    own_.take(bytes, now);
    creator_.charge(Resource::kJournalBytes, bytes, now);
  }

 private:
  RateBudget own_;
  Payers creator_;
};

}  // namespace sweepd::runtime
