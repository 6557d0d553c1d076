// SPDX-License-Identifier: MIT
#include "wire/claim_codec.h"

#include "wire/shape_codec.h"

namespace sweepd::wire {
namespace {

static_assert(static_cast<int>(match::Verdict::kConfirmed) == v1::VERDICT_CONFIRMED);
static_assert(static_cast<int>(match::Verdict::kNotOverlapping) == v1::VERDICT_NOT_OVERLAPPING);
static_assert(static_cast<int>(match::Verdict::kUnknownObject) == v1::VERDICT_UNKNOWN_OBJECT);
static_assert(static_cast<int>(match::Verdict::kNotOwner) == v1::VERDICT_NOT_OWNER);
static_assert(static_cast<int>(match::Verdict::kTooOld) == v1::VERDICT_TOO_OLD);
static_assert(static_cast<int>(match::Verdict::kInTheFuture) == v1::VERDICT_IN_THE_FUTURE);
static_assert(static_cast<int>(match::Verdict::kLayersDoNotCollide) == v1::VERDICT_LAYERS_DO_NOT_COLLIDE);
static_assert(static_cast<int>(match::Verdict::kAlreadyClaimed) == v1::VERDICT_ALREADY_CLAIMED);
static_assert(static_cast<int>(match::Verdict::kImplausibleView) == v1::VERDICT_IMPLAUSIBLE_VIEW);
static_assert(match::kVerdictsEnd == v1::Verdict_ARRAYSIZE);

}  // namespace

match::HitClaim decode_claim(const v1::HitClaim& message) {
  match::HitClaim claim{.number = message.claim_number(),
                        .shot = message.shot_id(),
                        .target = message.target_id(),
                        .tick_seen = message.tick_seen(),
                        .tolerance = message.tolerance()};
  if (message.has_shot_part()) claim.shot_part = message.shot_part();
  if (message.has_target_part()) claim.target_part = message.target_part();
  return claim;
}

void encode_verdict(const match::ClaimVerdict& verdict, v1::ClaimVerdict& message) {
  message.set_claim_number(verdict.claim.number);
  message.set_verdict(static_cast<v1::Verdict>(verdict.verdict));
  message.set_shot_id(verdict.claim.shot);
  message.set_target_id(verdict.claim.target);
  message.set_tick_judged(verdict.tick_judged);
  message.set_has_struck(verdict.has_struck);
  message.set_claimant(verdict.claimant);
  if (verdict.delay_ticks) message.set_delay_ticks(*verdict.delay_ticks);
  if (verdict.window_ticks) message.set_window_ticks(*verdict.window_ticks);
  message.set_tolerance(verdict.tolerance);
  if (!verdict.evidence) return;
  v1::ClaimEvidence& evidence = *message.mutable_evidence();
  evidence.set_margin(verdict.evidence->margin);
  evidence.set_shot_part(verdict.evidence->shot_part);
  evidence.set_target_part(verdict.evidence->target_part);
  encode_box(verdict.evidence->shot_box, *evidence.mutable_shot_box());
  encode_box(verdict.evidence->target_box, *evidence.mutable_target_box());
}

void encode_claim_counts(const match::ClaimCounts& counts, v1::Participant& message) {
  for (std::size_t verdict = 1; verdict < counts.size(); ++verdict) {
    if (counts[verdict] == 0) continue;
    v1::ClaimCount& count = *message.add_claims();
    count.set_verdict(static_cast<v1::Verdict>(verdict));
    count.set_count(counts[verdict]);
  }
}

}  // namespace sweepd::wire
