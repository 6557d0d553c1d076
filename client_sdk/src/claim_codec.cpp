// SPDX-License-Identifier: MIT
#include "claim_codec.h"

#include <string>

#include "shape_codec.h"
#include "subunits.h"

namespace sweepd {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kUnknown:
      return "UNKNOWN";
    case Verdict::kConfirmed:
      return "CONFIRMED";
    case Verdict::kNotOverlapping:
      return "NOT_OVERLAPPING";
    case Verdict::kUnknownObject:
      return "UNKNOWN_OBJECT";
    case Verdict::kNotOwner:
      return "NOT_OWNER";
    case Verdict::kTooOld:
      return "TOO_OLD";
    case Verdict::kInTheFuture:
      return "IN_THE_FUTURE";
    case Verdict::kLayersDoNotCollide:
      return "LAYERS_DO_NOT_COLLIDE";
    case Verdict::kAlreadyClaimed:
      return "ALREADY_CLAIMED";
    case Verdict::kImplausibleView:
      return "IMPLAUSIBLE_VIEW";
  }
  return "";
}

namespace internal {
namespace {

static_assert(static_cast<int>(Verdict::kImplausibleView) == v1::VERDICT_IMPLAUSIBLE_VIEW);

/// A length of 0 or more.
Checked encode_length(double units, const char* field, std::uint32_t* out) {
  std::int32_t subunits = 0;
  if (auto error = to_subunits(units, field, &subunits)) return error;
  if (subunits < 0) {
    return FieldError{ErrorCode::kInvalidArgument, field,
                      "is " + std::to_string(units) + "; must be 0 or more"};
  }
  *out = static_cast<std::uint32_t>(subunits);
  return {};
}

double units_of(std::uint32_t subunits) { return subunits / kSubunitsPerUnit; }

Verdict decode(v1::Verdict verdict) {
  const bool is_known = verdict >= v1::VERDICT_CONFIRMED && verdict <= v1::VERDICT_IMPLAUSIBLE_VIEW;
  return is_known ? static_cast<Verdict>(verdict) : Verdict::kUnknown;
}

}  // namespace

Checked encode(const ClaimRules& rules, v1::ClaimRules* out) {
  std::uint32_t tolerance_max = 0;
  if (auto error = encode_length(rules.tolerance_max, "claims.tolerance_max", &tolerance_max)) return error;
  out->set_policy(static_cast<v1::ClaimPolicy>(static_cast<int>(rules.policy) + 1));
  out->set_rewind_ticks_max(rules.rewind_ticks_max);
  out->set_tolerance_max(tolerance_max);
  out->set_delay_allowance_ticks(rules.delay_allowance_ticks);
  out->set_hits_per_shot_max(rules.hits_per_shot_max);
  return {};
}

ClaimRules decode(const v1::ClaimRules& rules) {
  ClaimRules decoded{.rewind_ticks_max = rules.rewind_ticks_max(),
                     .tolerance_max = units_of(rules.tolerance_max()),
                     .delay_allowance_ticks = rules.delay_allowance_ticks(),
                     .hits_per_shot_max = rules.hits_per_shot_max()};
  if (rules.policy() == v1::CLAIM_POLICY_WARN) decoded.policy = ClaimPolicy::kWarn;
  if (rules.policy() == v1::CLAIM_POLICY_ENFORCE) decoded.policy = ClaimPolicy::kEnforce;
  return decoded;
}

Checked encode(const HitClaim& claim, v1::HitClaim* out) {
  std::uint32_t tolerance = 0;
  if (auto error = encode_length(claim.tolerance, "tolerance", &tolerance)) return error;
  out->set_claim_number(claim.number);
  out->set_shot_id(claim.shot);
  out->set_target_id(claim.target);
  out->set_tick_seen(claim.tick_seen);
  out->set_tolerance(tolerance);
  if (claim.shot_part) out->set_shot_part(*claim.shot_part);
  if (claim.target_part) out->set_target_part(*claim.target_part);
  return {};
}

ClaimVerdict decode(const v1::ClaimVerdict& verdict) {
  ClaimVerdict decoded{.number = verdict.claim_number(),
                       .verdict = decode(verdict.verdict()),
                       .shot = verdict.shot_id(),
                       .target = verdict.target_id(),
                       .tick_judged = verdict.tick_judged(),
                       .evidence = {},
                       .has_struck = verdict.has_struck(),
                       .claimant = verdict.claimant()};
  if (!verdict.has_evidence()) return decoded;
  const v1::ClaimEvidence& evidence = verdict.evidence();
  decoded.evidence = ClaimEvidence{.margin = static_cast<double>(evidence.margin()) / kSubunitsPerUnit,
                                   .shot_part = evidence.shot_part(),
                                   .target_part = evidence.target_part(),
                                   .shot_box = decode(evidence.shot_box()),
                                   .target_box = decode(evidence.target_box())};
  return decoded;
}

ClaimCounts decode(const google::protobuf::RepeatedPtrField<v1::ClaimCount>& counts) {
  ClaimCounts decoded;
  for (const auto& count : counts) decoded[decode(count.verdict())] += count.count();
  return decoded;
}

}  // namespace internal
}  // namespace sweepd
