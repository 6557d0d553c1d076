// SPDX-License-Identifier: MIT
#include "runtime/match/refused_participants.h"

#include <algorithm>
#include <tuple>

namespace sweepd::runtime {

void RefusedParticipants::note(const MatchId& match, match::ParticipantNumber number,
                               std::uint64_t rejections) {
  const std::lock_guard lock(mutex_);
  const auto row =
      std::ranges::find_if(rows_, [&](const Row& one) { return one.match == match && one.number == number; });
  if (row != rows_.end()) {
    row->rejections = rejections;  // Less than before: another has the seat.
    return;
  }
  const Row further{match, number, rejections};
  if (rows_.size() < kRowsMax) return rows_.push_back(further);
  const auto least = std::ranges::min_element(
      rows_, {}, [](const Row& one) { return std::tuple(!one.has_ended, one.rejections); });
  if (least->has_ended || least->rejections < rejections) *least = further;
}

void RefusedParticipants::note_end(const MatchId& match) {
  const std::lock_guard lock(mutex_);
  for (Row& row : rows_) row.has_ended |= row.match == match;
}

std::vector<RefusedParticipants::Row> RefusedParticipants::rows() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

}  // namespace sweepd::runtime
