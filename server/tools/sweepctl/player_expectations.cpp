// SPDX-License-Identifier: MIT
#include "tools/sweepctl/player_expectations.h"

#include <algorithm>
#include <utility>

#include "replay/player_score.h"
#include "tools/sweepctl/receipt_findings.h"
#include "tools/sweepctl/testimony_text.h"

namespace sweepd::tools {
namespace {

using replay::ReplayVerdict;

void settle(VerificationReport& report, ReplayVerdict verdict, std::string what) {
  report.verification.verdict = verdict;
  report.verification.what = std::move(what);
}

bool is_any_of(ReplayVerdict verdict, std::initializer_list<ReplayVerdict> verdicts) {
  return std::ranges::find(verdicts, verdict) != verdicts.end();
}

bool names_player(const VerificationRequest& request) {
  return !request.player.empty() || request.participant.has_value();
}

replay::PlayerOfRows player_of(const VerificationRequest& request) {
  return {.name = request.player, .participant = request.participant};
}

std::string text_of_player(const VerificationRequest& request) {
  if (request.player.empty()) return "participant " + std::to_string(*request.participant);
  const std::string name = name_text(request.player);
  return request.participant ? name + " (" + std::to_string(*request.participant) + ")" : name;
}

bool has_played(const VerificationReport& report) {
  const replay::PlayerOfRows player = player_of(report.request);
  return std::ranges::any_of(
             report.verification.scores,
             [&](const match::Score& score) { return player.is(score.participant, score.name); }) ||
         std::ranges::any_of(report.receipt.participants(), [&](const v1::ReplayParticipant& participant) {
           return player.is(participant.number(), participant.name());
         });
}

bool is_held(const v1::ReplayParticipant& seat, const v1::SeatHolder& holder) {
  return holder.number() == seat.number() && holder.name() == seat.name();
}

/// Of who is named, or of all players.
bool is_asked_for(const VerificationRequest& request, const v1::ReplayParticipant& seat) {
  return names_player(request) ? player_of(request).is(seat.number(), seat.name())
                               : seat.role() == v1::ROLE_PLAYER;
}

/// What is wrong with the holders of a seat; empty: nothing.
std::string find_holder_fault(const VerificationReport& report, const v1::ReplayParticipant& seat) {
  const replay::TicketSubject& expected = report.request.subject;
  const std::string text = name_text(seat.name()) + " (" + std::to_string(seat.number()) + ")";
  const std::string was_expected = "; " + subject_text(expected) + " was expected";
  bool has_holder = false;
  for (const v1::SeatHolder& holder : report.receipt.seat_holders()) {
    if (!is_held(seat, holder)) continue;
    has_holder = true;
    const replay::TicketSubject subject = subject_of(holder.subject());
    if (!subject.is_meant_by(expected))
      return subject_text(subject) + " has held the seat of " + text + was_expected;
  }
  return has_holder ? "" : "no receipt tells of a ticket that has held the seat of " + text + was_expected;
}

std::string find_subject_fault(const VerificationReport& report) {
  if (!report.request.subject.is_known()) return "";
  if (!tells_testimony(report.receipt)) return "no receipt tells who held which seat";
  if (report.receipt.participants_not_listed() > 0)
    return "the receipt does not list all participants, so it does not tell whose seats are whose";
  bool has_seat = false;
  for (const v1::ReplayParticipant& seat : report.receipt.participants()) {
    if (!is_asked_for(report.request, seat)) continue;
    has_seat = true;
    if (auto fault = find_holder_fault(report, seat); !fault.empty()) return fault;
  }
  return has_seat ? "" : "no player has a seat in it";
}

std::string find_list_fault(const VerificationReport& report) {
  const bool is_asked = names_player(report.request) || report.request.subject.is_known();
  const std::uint64_t count = report.receipt.seat_holders_not_listed();
  if (!is_asked || count == 0) return "";
  return "the receipt leaves out " + std::to_string(count) +
         " holders of seats: it does not tell whose scores are whose";
}

}  // namespace

void check_player(VerificationReport& report) {
  const VerificationRequest& request = report.request;
  // What is wrong with the signature or the rules comes after the score.
  const bool is_open =
      is_any_of(report.verification.verdict,
                {ReplayVerdict::kVerified, ReplayVerdict::kBadSignature, ReplayVerdict::kRulesMismatch});
  if (!names_player(request) || !is_open) return;
  const auto found = replay::score_of(player_of(request), report.verification.scores);
  const std::string who = text_of_player(request);
  if (request.claimed_score && found != request.claimed_score) {
    settle(report, ReplayVerdict::kScoreMismatch,
           who + " claims " + std::to_string(*request.claimed_score) + ", and has " +
               (found ? std::to_string(*found) : "no score of one player"));
  } else if (!has_played(report)) {
    settle(report, ReplayVerdict::kScoreMismatch, who + " has not played");
  }
}

void check_holders(VerificationReport& report) {
  if (!is_any_of(report.verification.verdict, {ReplayVerdict::kVerified, ReplayVerdict::kRulesMismatch}))
    return;
  std::string fault = find_list_fault(report);
  if (fault.empty()) fault = find_subject_fault(report);
  if (!fault.empty()) settle(report, ReplayVerdict::kBadSignature, std::move(fault));
}

}  // namespace sweepd::tools
