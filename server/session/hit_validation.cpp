// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "session/methods.h"
#include "session/subject_key.h"
#include "session/viewer.h"
#include "session/with_match.h"
#include "wire/claim_codec.h"
#include "wire/query_codec.h"

namespace sweepd::session {
namespace {

constexpr int kClaimsPerSlice = 250;
constexpr std::uint32_t kPairsPerSlice = 500;  // Of parts, which claims of plain objects have one of.

std::optional<match::FieldError> find_error(const v1::ValidateHitsRequest& request,
                                            const match::Match& match) {
  const int count = request.claims_size();
  if (count == 0 || count > static_cast<int>(wire::kAnswersMax)) {
    return match::FieldError{"claims", "has " + std::to_string(count) + " elements; 1 to " +
                                           std::to_string(wire::kAnswersMax) + " are allowed"};
  }
  if (!match.find_participant(request.participant())) {
    return match::FieldError{"participant", "is " + std::to_string(request.participant()) +
                                                "; no participant of the match has this number"};
  }
  const std::uint32_t most = match.config().claims.tolerance_max;
  for (int i = 0; i < count; ++i) {
    if (request.claims(i).tolerance() <= most) continue;
    return match::FieldError{"claims[" + std::to_string(i) + "].tolerance",
                             "is " + std::to_string(request.claims(i).tolerance()) +
                                 "; the match allows at most " + std::to_string(most)};
  }
  return std::nullopt;
}

/// Verdicts and margins on candidates without end would tell a player which claims pass. Backends and
/// operators have no use for one.
bool is_rated(const identity::Principal& principal) {
  return principal.kind != identity::PrincipalKind::kBackend &&
         principal.kind != identity::PrincipalKind::kOperator;
}

Status too_many_asked(std::uint32_t participant) {
  const std::string limit = std::to_string(runtime::SeatDesk::kAskedClaimsPerSecondMax);
  return make_status(Code::kResourceExhausted,
                     {.reason = "TOO_MANY_CLAIMS",
                      .message = "claims of participant " + std::to_string(participant) +
                                 " are asked about more than " + limit + " times a second, its limit",
                      .metadata = {{"limit", limit}, {"scope", "client"}, {"key", "participant"}},
                      .retry_delay = std::chrono::seconds(1)});
}

/// Verdicts on candidates, with their margins or without, would find what is hidden.
Status not_visible() {
  return make_status(
      Code::kPermissionDenied,
      {.reason = "NOT_VISIBLE",
       .message = "the match's rules of visibility hide some of it from the caller's role: its "
                  "claims are judged on its stream"});
}

/// A player with a seat pays by its own number, any other caller by the number that it names.
std::uint32_t payer_of(const ValidateHitsCall& call, const runtime::MatchHost& host) {
  const runtime::BudgetKey own = key_of(call.principal().subject);
  if (call.principal().kind != identity::PrincipalKind::kPlayer) return call.request().participant();
  for (const match::Participant& one : host.match().participants())
    if (host.owner_of(one.number) == own) return one.number;
  return call.request().participant();
}

std::optional<Status> rate(const ValidateHitsCall& call, runtime::MatchHost& host) {
  const int most = static_cast<int>(runtime::SeatDesk::kAskedClaimsPerSecondMax);
  const int claims = call.request().claims_size();
  if (claims > most) {
    return invalid_field("INVALID_QUERY",
                         {"claims", "has " + std::to_string(claims) + " elements; a player may ask about " +
                                        std::to_string(most) + " a second"});
  }
  const std::uint32_t payer = payer_of(call, host);
  if (host.take_asked_claims(payer, static_cast<std::uint64_t>(claims))) return std::nullopt;
  return too_many_asked(payer);
}

void judge_slice(ValidateHitsCall& call, match::Claimant claimant, int first, const runtime::MatchHost& host,
                 MatchLoop& home);

/// The match may have moved since the slice before, or ended.
void judge_next_slice(ValidateHitsCall& call, match::Claimant claimant, int first) {
  with_match(call, call.request().match_id(),
             [&call, claimant, first](const runtime::MatchHost& host, MatchLoop& home) {
               judge_slice(call, claimant, first, host, home);
             });
}

/// From the claim `first` on. The claimant may have left the match.
void judge_slice(ValidateHitsCall& call, match::Claimant claimant, int first, const runtime::MatchHost& host,
                 MatchLoop& home) {
  claimant.arrival_tick = host.match().tick();
  const int end = std::min(first + kClaimsPerSlice, call.request().claims_size());
  int next = first;
  for (std::uint32_t pairs = 0; next < end && pairs < kPairsPerSlice; ++next) {
    const match::ClaimVerdict verdict =
        host.match().judge(claimant, wire::decode_claim(call.request().claims(next)));
    wire::encode_verdict(verdict, *call.response().add_verdicts());
    pairs += verdict.pairs_measured;
  }
  call.response().set_tick(host.match().tick());
  if (next == call.request().claims_size()) return call.reply();
  home.loop().post_slice([&call, claimant, next] { judge_next_slice(call, claimant, next); });
}

}  // namespace

void validate_hits(ValidateHitsCall& call) {
  const auto excess = call.home().backend().budgets.spend(
      call.payers(), runtime::Resource::kClaims, static_cast<std::uint64_t>(call.request().claims_size()),
      runtime::steady_now());
  if (excess) return call.fail(over_budget(*excess));
  with_match_in_slice(call, call.request().match_id(), [&call](runtime::MatchHost& host, MatchLoop& home) {
    if (auto error = find_error(call.request(), host.match())) {
      return call.fail(invalid_field("INVALID_QUERY", *std::move(error)));
    }
    if (!viewer_of(call.principal(), host).sees_all) return call.fail(not_visible());
    if (is_rated(call.principal())) {
      if (auto refusal = rate(call, host)) return call.fail(*std::move(refusal));
    }
    judge_slice(call, host.claimant(call.request().participant()), 0, host, home);
  });
}

}  // namespace sweepd::session
