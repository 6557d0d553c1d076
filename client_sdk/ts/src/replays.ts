// SPDX-License-Identifier: MIT
//
// Replays of matches, what a server says of them, and whether they are what they say.
import type { ObjectId, ParticipantNumber, Role, Score, Tick } from "./types.js";

export const ReplayEnd = {
  Unknown: "UNKNOWN",
  MatchEnded: "MATCH_ENDED",
  /** It was written while the match went on. */
  StillRunning: "STILL_RUNNING",
  Cut: "CUT",
} as const;
export type ReplayEnd = (typeof ReplayEnd)[keyof typeof ReplayEnd];

/** Whose ticket it was. */
export interface TicketSubject {
  readonly name: string;
  readonly issuer: string;
  readonly tenant: string;
}

export interface ReplayParticipant {
  readonly number: ParticipantNumber;
  readonly name: string;
  readonly role: Role;
}

/**
 * What a match came to, and a server's word for it. The signature is over `statement`: replay.proto says how. The SDK reads
 * a receipt and does not check its signature.
 */
export interface Receipt {
  readonly matchId: string;
  readonly nonce: Uint8Array;
  readonly end: ReplayEnd;
  readonly tickCount: Tick;
  readonly finalDigest: bigint;
  /** In the order in which they joined; no observers. */
  readonly participants: readonly ReplayParticipant[];
  readonly scores: readonly Score[];
  /** Empty: not signed. */
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
  readonly version: number;
  /** The bytes that were signed. */
  readonly statement: Uint8Array;
  readonly rulesDigest: Uint8Array;
  /** Of approved rules; empty: unranked. */
  readonly rulesName: string;
  /** Undefined: it was created without a ticket. */
  readonly creator: TicketSubject | undefined;
}

export interface ReplayInfo {
  /** Unsigned where the match still runs. */
  readonly receipt: Receipt;
  /** Of the replay. */
  readonly bytes: number;
}

/** Takes the pieces of a replay in order. False: it wants no more. */
export type ReplaySink = (piece: Uint8Array) => boolean;

/** What a verification comes to; where several would be right, the first of these that is. */
export const ReplayVerdict = {
  /** Of a newer server. */
  Unknown: "UNKNOWN",
  Verified: "VERIFIED",
  /** The server cannot tell. */
  UnsupportedVersion: "UNSUPPORTED_VERSION",
  /** Damaged, cut off, or put together from others. */
  Malformed: "MALFORMED",
  /** Played again, the match becomes another one than the replay says. */
  Diverged: "DIVERGED",
  /** It becomes that one, and the scores are not those that are claimed. */
  ScoreMismatch: "SCORE_MISMATCH",
  /** All is well but the signature, or there is none of the key that was given. */
  BadSignature: "BAD_SIGNATURE",
  /** All is well, but the rules are none of those that are approved. */
  RulesMismatch: "RULES_MISMATCH",
} as const;
export type ReplayVerdict = (typeof ReplayVerdict)[keyof typeof ReplayVerdict];

export interface VerificationOptions {
  /** 32 bytes: the replay must be signed with its private key. Absent: it need not be signed. */
  readonly publicKey?: Uint8Array;
  /** Receipt.nonce of the match that it must be of. Absent: any. By itself it proves nothing. */
  readonly nonce?: Uint8Array;
  /** By participant and name, summed; at most 4096. Others may have any score. */
  readonly claimedScores?: readonly Pick<Score, "participant" | "name" | "score">[];
  /** Who must have created the match, by its receipt; needs `publicKey`. */
  readonly creator?: TicketSubject;
  /** From the last byte that was sent to the verdict. Default: 540000. */
  readonly timeoutMs?: number;
}

export interface Verification {
  readonly verdict: ReplayVerdict;
  /** For people: why it is not Verified. */
  readonly what: string;
  /** Diverged; 0: before the first tick. */
  readonly divergingTick: Tick;
  /** Diverged: the lowest id of those that differ after `comparedTick`. */
  readonly divergingObject: ObjectId | undefined;
  readonly comparedTick: Tick;
  /** What the replay says of itself, where it could be read. */
  readonly receipt: Receipt | undefined;
  /** It has a signature, which is right for its key. */
  readonly isSigned: boolean;
  readonly ticksPlayed: number;
  /** After the last tick that was played, recomputed. */
  readonly finalDigest: bigint;
  /** Recomputed, after that tick; whatever the verdict. */
  readonly scores: readonly Score[];
  /** Malformed: the byte where it shows. */
  readonly faultOffset: number;
  readonly rulesDigest: Uint8Array;
}
