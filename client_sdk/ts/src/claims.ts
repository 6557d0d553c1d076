// SPDX-License-Identifier: MIT
//
// Hit claims: "this shot hit that target, as I saw it", and what the server finds.
import type { Box } from "./shapes.js";
import type { ObjectId, ParticipantNumber, Tick } from "./types.js";

/** What the server finds. Of several the first counts, but for Confirmed in the order of their rules in claims.proto. */
export const Verdict = {
  /** Of a newer server; not confirmed. */
  Unknown: "UNKNOWN",
  Confirmed: "CONFIRMED",
  /** The margin is above the tolerance, or one of the two was disabled. */
  NotOverlapping: "NOT_OVERLAPPING",
  /**
   * The target is not there now, or one of the two was not there then. Normal in co-op, where another has just
   * destroyed the target, and no sign of a cheat.
   */
  UnknownObject: "UNKNOWN_OBJECT",
  /** The shot was not the claimant's. */
  NotOwner: "NOT_OWNER",
  /** Before what may be judged, or before a teleport. */
  TooOld: "TOO_OLD",
  /** The tick has not run yet. */
  InTheFuture: "IN_THE_FUTURE",
  /** By the match's config. */
  LayersDoNotCollide: "LAYERS_DO_NOT_COLLIDE",
  /** The shot has hit before: this target, or as many as it may. */
  AlreadyClaimed: "ALREADY_CLAIMED",
  /** Older than what the claimant can have seen. */
  ImplausibleView: "IMPLAUSIBLE_VIEW",
} as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

export interface HitClaim {
  readonly shot: ObjectId;
  readonly target: ObjectId;
  /**
   * After which the world was as you saw it: the tick on the screen. `Session.tick` when you drew it, less what you
   * show later than it comes; or, where you predict, the tick that you drew ahead: then send the claim with a frame
   * for a later one.
   */
  readonly tickSeen: Tick;
  /** By so many units one of the two may miss the other. Default: 0. */
  readonly tolerance?: number;
  /** Absent: any. */
  readonly shotPart?: number;
  /** Absent: any. */
  readonly targetPart?: number;
}

/** What was measured, of the two parts that were closest. */
export interface ClaimEvidence {
  /**
   * Above 0: they did not touch; their least distance on their ways through the tick, in units. 0 or less: they
   * touched; minus how deep the boxes around them overlapped, along x or y.
   */
  readonly margin: number;
  readonly shotPart: number;
  readonly targetPart: number;
  /** At the end of the tick judged. */
  readonly shotBox: Box;
  readonly targetBox: Box;
}

export interface ClaimVerdict {
  /** The number that `claimHit` gave. */
  readonly number: number;
  readonly verdict: Verdict;
  readonly shot: ObjectId;
  readonly target: ObjectId;
  /** 0: none was. */
  readonly tickJudged: Tick;
  /** Absent where it did not come to that. */
  readonly evidence: ClaimEvidence | undefined;
  /**
   * The match enforces claims, and the layers hit by them: it has had the outcome of contact. False of a confirmed
   * claim, too, if one of the two was gone by then, or the target disabled: then take the hit back.
   */
  readonly hasStruck: boolean;
  readonly claimant: ParticipantNumber;
  /** The claimant's, as measured. */
  readonly delayTicks: number | undefined;
  /** How far before its arrival it might be judged. */
  readonly windowTicks: number | undefined;
  /** That counted, in units: as claimed or less. */
  readonly tolerance: number;
}

export type ClaimCounts = ReadonlyMap<Verdict, number>;
