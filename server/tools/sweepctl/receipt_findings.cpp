// SPDX-License-Identifier: MIT
#include "tools/sweepctl/receipt_findings.h"

#include <set>
#include <vector>

#include "tools/sweepctl/replay_text.h"
#include "tools/sweepctl/testimony_text.h"

namespace sweepd::tools {
namespace {

/// A rate that is set and a restart while the clock stands are changes, too, and begin no pause.
std::uint64_t pauses_of(const v1::Receipt& receipt) {
  std::uint64_t pauses = 0;
  bool was_paused = false;
  for (const v1::ReceiptClockChange& change : receipt.clock_changes()) {
    if (change.is_paused() && !was_paused) ++pauses;
    was_paused = change.is_paused();
  }
  return pauses;
}

/// Those at which it ran after a change, if any is not that of the beginning.
std::set<std::uint32_t> other_rates(const v1::Receipt& receipt) {
  std::set<std::uint32_t> rates;
  for (const v1::ReceiptClockChange& change : receipt.clock_changes())
    if (!change.is_paused()) rates.insert(change.tick_rate_hz());
  rates.erase(receipt.tick_rate_hz());
  return rates;
}

std::string rates_text(const std::set<std::uint32_t>& rates) {
  std::string text;
  for (const std::uint32_t rate : rates) text += (text.empty() ? "" : ", ") + std::to_string(rate);
  return text;
}

std::string holders_json(const v1::Receipt& receipt) {
  std::vector<std::string> holders;
  for (const v1::SeatHolder& holder : receipt.seat_holders())
    holders.push_back(JsonObject()
                          .add("participant", holder.number())
                          .add("name", holder.name())
                          .add_json("subject", subject_json(subject_of(holder.subject())))
                          .text());
  return json_array(holders);
}

}  // namespace

replay::TicketSubject subject_of(const v1::TicketSubject& message) {
  return {message.name(), message.issuer(), message.tenant()};
}

bool tells_testimony(const v1::Receipt& receipt) {
  return receipt.version() >= 2 && !receipt.rules_digest().empty();
}

std::string receipt_remarks(const v1::Receipt& receipt) {
  if (!tells_testimony(receipt)) return "";
  std::string text = receipt.rules_name().empty() ? ", UNRANKED" : "";
  if (const auto rates = other_rates(receipt); !rates.empty())
    text += ", clock set to " + rates_text(rates) + " Hz (" + std::to_string(receipt.tick_rate_hz()) +
            " Hz at the beginning)";
  if (const std::uint64_t pauses = pauses_of(receipt); pauses > 0)
    text += ", paused " + std::to_string(pauses) + (pauses == 1 ? " time" : " times");
  if (receipt.clock_changes_not_listed() > 0)
    text += ", " + std::to_string(receipt.clock_changes_not_listed()) + " further changes of the clock";
  return text;
}

void add_receipt(JsonObject& object, const v1::Receipt& receipt) {
  if (receipt.end() != v1::REPLAY_END_UNSPECIFIED)
    object.add("end", name_of(static_cast<replay::EndReason>(receipt.end())));
  if (!tells_testimony(receipt)) return;
  object.add("rules_name", receipt.rules_name())
      .add_json("is_ranked", receipt.rules_name().empty() ? "false" : "true")
      .add_json("creator", subject_json(subject_of(receipt.creator())))
      .add_json("seat_holders", holders_json(receipt))
      .add("seat_holders_not_listed", receipt.seat_holders_not_listed())
      .add("clock_changes",
           static_cast<std::uint64_t>(receipt.clock_changes_size()) + receipt.clock_changes_not_listed())
      .add("clock_changes_not_listed", receipt.clock_changes_not_listed())
      .add("pauses", pauses_of(receipt))
      .add("tick_rate_hz", receipt.tick_rate_hz())
      .add_json("other_tick_rates_hz", "[" + rates_text(other_rates(receipt)) + "]")
      .add("create_unix_ms", receipt.create_time_unix_ms())
      .add("start_unix_ms", receipt.start_time_unix_ms())
      .add("end_unix_ms", receipt.end_time_unix_ms());
}

}  // namespace sweepd::tools
