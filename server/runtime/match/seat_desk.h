// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "match/match.h"
#include "runtime/budgets/byte_budget.h"
#include "runtime/feed/rejection_box.h"
#include "runtime/match/delay_meter.h"
#include "runtime/match/reconnect_token.h"

namespace sweepd::runtime {

/// What is kept of a seat beside the match's own state, whether its participant is here or away.
struct SeatRecord {
  TokenDigest token = {};
  RejectionBox rejections;
  std::uint64_t told_rejections = 0;  ///< How many of them the last stream was told.
  std::uint64_t told_claims = 0;      ///< The same of the match's verdicts on claims.
  ByteBudget bytes;                   ///< Of its frames: a new stream gets no new one.
  DelayMeter delay;
};

/// The records of all seats that are taken, by participant number.
class SeatRecords {
 public:
  /// A new record: somebody has taken the seat.
  SeatRecord& add(match::ParticipantNumber number) {
    return records_.insert_or_assign(number, SeatRecord{}).first->second;
  }

  /// The seat has to be taken.
  SeatRecord& at(match::ParticipantNumber number) { return records_.at(number); }

  const SeatRecord& at(match::ParticipantNumber number) const { return records_.at(number); }

  /// Whose seat is of that name and token; nothing if nobody's.
  std::optional<match::ParticipantNumber> find(const match::Match& match, std::string_view name,
                                               std::string_view token) const;

  void take(const match::TickOutput& output);
  void remove(match::ParticipantNumber number) { records_.erase(number); }
  /// Of those who are not in the match any more; says who they were.
  std::vector<match::ParticipantNumber> remove_departed(const match::Match& match);

 private:
  std::map<match::ParticipantNumber, SeatRecord> records_;
};

}  // namespace sweepd::runtime
