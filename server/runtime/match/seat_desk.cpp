// SPDX-License-Identifier: MIT
#include "runtime/match/seat_records.h"

namespace sweepd::runtime {

std::optional<match::ParticipantNumber> SeatRecords::find(const match::Match& match, std::string_view name,
                                                          std::string_view token) const {
  for (const auto& [number, record] : records_) {
    const auto participant = match.find_participant(number);
    if (participant && participant->name == name && ReconnectToken::is_of(token, record.token)) return number;
  }
  return std::nullopt;
}

void SeatRecords::take(const match::TickOutput& output) {
  if (output.rejections.empty() && output.rejections_not_listed.empty()) return;
  for (auto& [number, record] : records_) record.rejections.take(output, number);
}

std::vector<match::ParticipantNumber> SeatRecords::remove_departed(const match::Match& match) {
  std::vector<match::ParticipantNumber> departed;
  std::erase_if(records_, [&](const auto& entry) {
    const bool has_left = !match.find_participant(entry.first);
    if (has_left) departed.push_back(entry.first);
    return has_left;
  });
  return departed;
}

}  // namespace sweepd::runtime
