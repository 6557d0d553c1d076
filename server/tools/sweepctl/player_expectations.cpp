// SPDX-License-Identifier: MIT
#include "tools/sweepctl/player_expectations.h"

#include <algorithm>
#include <iterator>
#include <set>
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

std::string text_of_player(const VerificationRequest& request) {
  if (request.player.empty()) return "participant " + std::to_string(*request.participant);
  const std::string name = name_text(request.player);
  return request.participant ? name + " (" + std::to_string(*request.participant) + ")" : name;
}

/// A number, and a name that has had it.
using Seat = std::pair<std::uint32_t, std::string>;

std::set<Seat> seats_of_rows(const VerificationReport& report) {
  std::set<Seat> seats;
  for (const match::Score& score : report.verification.scores) seats.emplace(score.participant, score.name);
  return seats;
}

/// Those of participants that are listed, and those of rows of scores. One of neither has no score to claim.
std::set<Seat> seats_of(const VerificationReport& report) {
  std::set<Seat> seats = seats_of_rows(report);
  for (const v1::ReplayParticipant& participant : report.receipt.participants())
    seats.emplace(participant.number(), participant.name());
  return seats;
}

/// The names among them that a request may mean.
std::set<std::string> names_meant(const VerificationRequest& request, const std::set<Seat>& seats) {
  std::set<std::string> names;
  for (const auto& [number, name] : seats) {
    const bool is_meant = (request.player.empty() || name == request.player) &&
                          (!request.participant || number == *request.participant);
    if (is_meant) names.insert(name);
  }
  return names;
}

/// The name of the player that is meant; empty, with the reason, where it is none.
struct MeantPlayer {
  std::string name = {};
  std::string fault = {};
};

/// Of those that a number may mean, one that has scored goes before those that have not.
MeantPlayer find_player(const VerificationReport& report) {
  const VerificationRequest& request = report.request;
  auto names = names_meant(request, seats_of_rows(report));
  if (names.empty()) names = names_meant(request, seats_of(report));
  if (names.empty()) return {.fault = "nothing in it says that " + text_of_player(request) + " has played"};
  if (names.size() > 1)
    return {.fault = text_of_player(request) + " is not one player: " + name_text(*names.begin()) + " and " +
                     name_text(*std::next(names.begin())) + " have had the number"};
  return {.name = *names.begin()};
}

/// What is wrong with the holders of a seat; empty: nothing.
std::string find_holder_fault(const VerificationReport& report, const Seat& seat) {
  const replay::TicketSubject& expected = report.request.subject;
  const std::string text = name_text(seat.second) + " (" + std::to_string(seat.first) + ")";
  const std::string was_expected = "; " + subject_text(expected) + " was expected";
  bool has_holder = false;
  for (const v1::SeatHolder& holder : report.receipt.seat_holders()) {
    if (seat != Seat(holder.number(), holder.name())) continue;
    has_holder = true;
    const replay::TicketSubject subject = subject_of(holder.subject());
    if (!subject.is_meant_by(expected))
      return subject_text(subject) + " has held the seat of " + text + was_expected;
  }
  return has_holder ? "" : "no receipt tells of a ticket that has held the seat of " + text + was_expected;
}

/// The seats that the subject must have held: all of the player that is named, or those of all players.
std::set<Seat> seats_asked_for(const VerificationReport& report) {
  std::set<Seat> seats;
  if (names_player(report.request)) {
    const std::string name = find_player(report).name;
    for (const Seat& seat : seats_of(report))
      if (seat.second == name) seats.insert(seat);
    return seats;
  }
  for (const v1::ReplayParticipant& participant : report.receipt.participants())
    if (participant.role() == v1::ROLE_PLAYER) seats.emplace(participant.number(), participant.name());
  return seats;
}

std::string find_subject_fault(const VerificationReport& report) {
  if (!report.request.subject.is_known()) return "";
  if (!tells_testimony(report.receipt)) return "no receipt tells who held which seat";
  if (!names_player(report.request) && report.receipt.participants_not_listed() > 0)
    return "the receipt does not list all participants, so it does not tell whose seats are whose";
  const std::set<Seat> seats = seats_asked_for(report);
  for (const Seat& seat : seats)
    if (auto fault = find_holder_fault(report, seat); !fault.empty()) return fault;
  return seats.empty() ? "no player has a seat in it" : "";
}

std::string find_list_fault(const VerificationReport& report) {
  const bool is_asked = names_player(report.request) || report.request.subject.is_known();
  if (!is_asked) return "";
  if (const std::uint64_t rows = report.verification.scores_not_listed; rows > 0)
    return replay::not_listed_text(rows) + ": it does not tell what a player has in all";
  const std::uint64_t count = report.receipt.seat_holders_not_listed();
  if (count == 0) return "";
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
  const MeantPlayer player = find_player(report);
  if (player.name.empty()) return settle(report, ReplayVerdict::kScoreMismatch, player.fault);
  const auto found = replay::score_of(player.name, report.verification.scores);
  if (!request.claimed_score || found == request.claimed_score) return;
  settle(report, ReplayVerdict::kScoreMismatch,
         text_of_player(request) + " claims " + std::to_string(*request.claimed_score) + ", and has " +
             (found ? std::to_string(*found) : "no score"));
}

void check_holders(VerificationReport& report) {
  if (!is_any_of(report.verification.verdict, {ReplayVerdict::kVerified, ReplayVerdict::kRulesMismatch}))
    return;
  std::string fault = find_list_fault(report);
  if (fault.empty()) fault = find_subject_fault(report);
  if (!fault.empty()) settle(report, ReplayVerdict::kBadSignature, std::move(fault));
}

}  // namespace sweepd::tools
