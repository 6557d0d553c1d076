// SPDX-License-Identifier: MIT
#include "match/rejection_log.h"

#include <iterator>

#include "base/assert.h"

namespace sweepd::match {

void RejectionLog::close_tick() {
  listed_.clear();
  not_listed_.clear();
  for (ParticipantNumber number = 0; number < entries_.size(); ++number) {
    Entry& entry = entries_[number];
    SWEEPD_ASSERT(entry.not_listed == 0 || entry.listed.size() == kRejectionsListedMax);
    listed_.insert(listed_.end(), std::move_iterator(entry.listed.begin()),
                   std::move_iterator(entry.listed.end()));
    if (entry.not_listed > 0) not_listed_.push_back({number, entry.not_listed});
    entry.listed.clear();
    entry.not_listed = 0;
  }
}

}  // namespace sweepd::match
