// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import { Verdict, type ClaimCounts, type ClaimEvidence, type ClaimVerdict, type HitClaim } from "../claims.js";
import {
  HitClaimSchema,
  Verdict as WireVerdict,
  type ClaimCount,
  type ClaimEvidence as WireEvidence,
  type ClaimVerdict as WireClaimVerdict,
  type HitClaim as WireClaim,
} from "../generated/sweepd/v1/claims_pb.js";
import { ErrorCode } from "../status.js";
import { checkTick, checkUint32, FieldError, firstOf, isError, type Checked } from "./field_error.js";
import { decodeBox } from "./shape_codec.js";
import { toSubunits, toUnits } from "./subunits.js";
import { nameIn } from "./wire_names.js";

function encodeTolerance(units: number): Checked<number> {
  const tolerance = toSubunits(units, "tolerance");
  if (isError(tolerance) || tolerance >= 0) return tolerance;
  return new FieldError(ErrorCode.InvalidArgument, "tolerance", `is ${units}; must be 0 or more`);
}

/** All but the number. */
export function encodeClaim(claim: HitClaim): Checked<WireClaim> {
  const tolerance = encodeTolerance(claim.tolerance ?? 0);
  if (isError(tolerance)) return tolerance;
  const error = firstOf(
    checkUint32(claim.shot, "shot"),
    checkUint32(claim.target, "target"),
    checkTick(claim.tickSeen, "tickSeen"),
    checkUint32(claim.shotPart ?? 0, "shotPart"),
    checkUint32(claim.targetPart ?? 0, "targetPart"),
  );
  if (error) return error;
  const message = create(HitClaimSchema, {
    shotId: claim.shot,
    targetId: claim.target,
    tickSeen: BigInt(claim.tickSeen),
    tolerance,
  });
  if (claim.shotPart !== undefined) message.shotPart = claim.shotPart;
  if (claim.targetPart !== undefined) message.targetPart = claim.targetPart;
  return message;
}

function decodeVerdict(verdict: WireVerdict): Verdict {
  return nameIn(Verdict, WireVerdict[verdict]) ?? Verdict.Unknown;
}

function decodeEvidence(evidence: WireEvidence): ClaimEvidence {
  return {
    margin: toUnits(Number(evidence.margin)),
    shotPart: evidence.shotPart,
    targetPart: evidence.targetPart,
    shotBox: decodeBox(evidence.shotBox),
    targetBox: decodeBox(evidence.targetBox),
  };
}

export function decodeClaimVerdict(verdict: WireClaimVerdict): ClaimVerdict {
  return {
    number: verdict.claimNumber,
    verdict: decodeVerdict(verdict.verdict),
    shot: verdict.shotId,
    target: verdict.targetId,
    tickJudged: Number(verdict.tickJudged),
    evidence: verdict.evidence && decodeEvidence(verdict.evidence),
    hasStruck: verdict.hasStruck,
    claimant: verdict.claimant,
    delayTicks: verdict.delayTicks,
    windowTicks: verdict.windowTicks,
    tolerance: toUnits(verdict.tolerance),
  };
}

export function decodeClaimCounts(counts: readonly ClaimCount[]): ClaimCounts {
  const decoded = new Map<Verdict, number>();
  for (const { verdict, count } of counts) {
    const name = decodeVerdict(verdict);
    decoded.set(name, (decoded.get(name) ?? 0) + Number(count));
  }
  return decoded;
}
