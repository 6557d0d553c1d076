// SPDX-License-Identifier: MIT
#include "tools/sweepctl/receipt_findings.h"

#include <set>
#include <utility>
#include <vector>

#include "tools/sweepctl/replay_text.h"
#include "tools/sweepctl/testimony_text.h"

namespace sweepd::tools {
namespace {

/// The times at which the clock stood, by the changes that are listed.
struct Pauses {
  std::uint64_t count = 0;
  std::int64_t ms = 0;
};

/// A rate that is set and a restart while the clock stands are changes, too, and begin no pause.
Pauses pauses_of(const v1::Receipt& receipt) {
  Pauses pauses;
  std::int64_t since = 0;
  bool was_paused = false;
  const auto end_pause = [&](std::int64_t unix_ms) {
    if (was_paused && since > 0 && unix_ms > since) pauses.ms += unix_ms - since;
  };
  for (const v1::ReceiptClockChange& change : receipt.clock_changes()) {
    if (change.is_paused() == was_paused) continue;
    end_pause(change.unix_ms());
    if (change.is_paused()) ++pauses.count;
    was_paused = change.is_paused();
    since = change.unix_ms();
  }
  end_pause(receipt.end_time_unix_ms());
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

/// The lowest and the highest of them and of that of the beginning.
std::pair<std::uint32_t, std::uint32_t> ends_of_rates(const v1::Receipt& receipt) {
  std::set<std::uint32_t> rates = other_rates(receipt);
  rates.insert(receipt.tick_rate_hz());
  return {*rates.begin(), *rates.rbegin()};
}

/// Thousandths: "59.4".
/// With as many decimals as it takes, one at least: a match that hardly ran is not told as one that stood
/// still.
std::string thousandths_text(std::uint64_t thousandths) {
  std::string decimals = std::to_string(1000 + thousandths % 1000).substr(1);
  while (decimals.size() > 1 && decimals.back() == '0') decimals.pop_back();
  return std::to_string(thousandths / 1000) + "." + decimals;
}

std::string end_text(const v1::Receipt& receipt) {
  if (receipt.end() == v1::REPLAY_END_CUT) return ", cut";
  return receipt.end() == v1::REPLAY_END_STILL_RUNNING ? ", the match was running" : "";
}

/// Where changes are not listed, the wall times of key frames tell what those did.
std::string clock_text(const v1::Receipt& receipt, const replay::ObservedPace& pace) {
  std::string text;
  if (const auto rates = other_rates(receipt); !rates.empty())
    text += ", clock set to " + rates_text(rates) + " Hz (" + std::to_string(receipt.tick_rate_hz()) +
            " Hz at the beginning)";
  if (const Pauses pauses = pauses_of(receipt); pauses.count > 0) {
    text += ", paused " + std::to_string(pauses.count) + (pauses.count == 1 ? " time" : " times");
    if (pauses.ms > 0 && receipt.clock_changes_not_listed() == 0)
      text += " for " + thousandths_text(static_cast<std::uint64_t>(pauses.ms)) + " s";
  }
  if (receipt.clock_changes_not_listed() == 0) return text;
  text += ", " + std::to_string(receipt.clock_changes_not_listed()) + " further changes of the clock";
  if (pace.slowest == 0) return text;
  return text + " (from " + thousandths_text(pace.slowest) + " to " + thousandths_text(pace.fastest) +
         " ticks a second between key frames)";
}

std::string pace_json(std::uint64_t pace) { return pace == 0 ? "null" : thousandths_text(pace); }

void add_clock(JsonObject& object, const v1::Receipt& receipt, const replay::ObservedPace& pace) {
  const Pauses pauses = pauses_of(receipt);
  const bool is_whole = receipt.clock_changes_not_listed() == 0;  // Else a pause's end may be missing.
  const auto [lowest, highest] = ends_of_rates(receipt);
  object
      .add("clock_changes",
           static_cast<std::uint64_t>(receipt.clock_changes_size()) + receipt.clock_changes_not_listed())
      .add("clock_changes_not_listed", receipt.clock_changes_not_listed())
      .add("pauses", pauses.count)
      .add_json("paused_ms", is_whole ? std::to_string(pauses.ms) : "null")
      .add("tick_rate_hz", receipt.tick_rate_hz())
      .add_json("other_tick_rates_hz", "[" + rates_text(other_rates(receipt)) + "]")
      .add("lowest_tick_rate_hz", lowest)
      .add("highest_tick_rate_hz", highest)
      .add_json("slowest_ticks_per_second", pace_json(pace.slowest))
      .add_json("fastest_ticks_per_second", pace_json(pace.fastest));
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

std::string receipt_remarks(const v1::Receipt& receipt, const replay::Verification& verification) {
  std::string text = end_text(receipt);
  if (!tells_testimony(receipt)) return text;
  if (receipt.rules_name().empty()) text += ", UNRANKED";
  if (verification.signature == replay::SignatureState::kNone)
    text += ", not signed: rules, creator and holders are what the file says";
  if (verification.signature == replay::SignatureState::kUntrusted)
    text += ", signed by a key that is not checked: rules, creator and holders are what the file says";
  return text + clock_text(receipt, verification.pace);
}

void add_receipt(JsonObject& object, const v1::Receipt& receipt, const replay::Verification& verification) {
  if (receipt.end() != v1::REPLAY_END_UNSPECIFIED)
    object.add("end", name_of(static_cast<replay::EndReason>(receipt.end())));
  if (!tells_testimony(receipt)) return;
  // Without a good signature the author of the file says that it is ranked, and not the server.
  const bool is_ranked =
      verification.signature == replay::SignatureState::kGood && !receipt.rules_name().empty();
  object.add("rules_name", receipt.rules_name())
      .add_json("is_ranked", is_ranked ? "true" : "false")
      .add_json("creator", subject_json(subject_of(receipt.creator())))
      .add_json("seat_holders", holders_json(receipt))
      .add("seat_holders_not_listed", receipt.seat_holders_not_listed());
  add_clock(object, receipt, verification.pace);
  object.add("create_unix_ms", receipt.create_time_unix_ms())
      .add("start_unix_ms", receipt.start_time_unix_ms())
      .add("end_unix_ms", receipt.end_time_unix_ms());
}

}  // namespace sweepd::tools
