// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "session/methods.h"
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
  const match::Viewer viewer = viewer_of(call.principal(), host);
  int next = first;
  for (std::uint32_t pairs = 0; next < end && pairs < kPairsPerSlice; ++next) {
    match::ClaimVerdict verdict =
        host.match().judge(claimant, wire::decode_claim(call.request().claims(next)));
    if (!viewer.sees_all) host.sight()->rules().limit(viewer, verdict);
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
    const std::uint32_t participant = call.request().participant();
    const match::Viewer viewer = viewer_of(call.principal(), host);
    if (!viewer.sees_all && !viewer.owns(participant)) {
      return call.fail(invalid_field(
          "INVALID_QUERY", {"participant", "is " + std::to_string(participant) +
                                               "; the match's rules of visibility allow one's own only"}));
    }
    const auto claims = static_cast<std::uint64_t>(call.request().claims_size());
    if (is_rated(call.principal()) && !host.take_asked_claims(participant, claims))
      return call.fail(too_many_asked(participant));
    judge_slice(call, host.claimant(call.request().participant()), 0, host, home);
  });
}

}  // namespace sweepd::session
