// SPDX-License-Identifier: MIT
#include "runtime/seat_records.h"

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

void SeatRecords::remove_departed(const match::Match& match) {
  std::erase_if(records_, [&match](const auto& entry) { return !match.find_participant(entry.first); });
}

}  // namespace sweepd::runtime
