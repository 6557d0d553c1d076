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

Verdict decode(v1::Verdict verdict) {
  const bool is_known = verdict >= v1::VERDICT_CONFIRMED && verdict <= v1::VERDICT_IMPLAUSIBLE_VIEW;
  return is_known ? static_cast<Verdict>(verdict) : Verdict::kUnknown;
}

}  // namespace

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
  if (verdict.has_delay_ticks()) decoded.delay_ticks = verdict.delay_ticks();
  if (verdict.has_window_ticks()) decoded.window_ticks = verdict.window_ticks();
  decoded.tolerance = verdict.tolerance() / kSubunitsPerUnit;
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
