// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "match/config.h"
#include "runtime/journal/journal.h"
#include "runtime/journal/write_budget.h"

namespace sweepd::runtime {

/// What may be written of a match: a budget of its own and, where it is stepped, that of its creator, who may
/// have several. Where ticks come by time, frames have been charged to their senders already.
class MatchWriteBudget {
 public:
  /// `journal`: null: nothing is written, and there is always room.
  MatchWriteBudget(Journal* journal, const BudgetKey& creator, match::ClockKind clock)
      : own_(journal == nullptr ? 0 : journal->match_bytes_per_second()) {
    if (journal != nullptr && clock == match::ClockKind::kManual) creator_ = journal->budget_of(creator);
  }

  std::uint64_t bytes_per_second() const { return own_.bytes_per_second(); }
  bool has_room_of_its_own(TimePoint now) const { return own_.has_room(now); }
  bool has_room(TimePoint now) const { return own_.has_room(now) && (!creator_ || creator_->has_room(now)); }

  void take(std::uint64_t bytes, TimePoint now) {
    if (bytes == 0) return;
    own_.take(bytes, now);
    if (creator_) creator_->take(bytes, now);
  }

 private:
  WriteBudget own_;
  std::shared_ptr<WriteBudget> creator_;  ///< Null: no limit.
};

}  // namespace sweepd::runtime
