// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import {
  ReplayEnd as WireEnd,
  ReplayVerdict as WireVerdict,
  TicketSubjectSchema,
  type Receipt as WireReceipt,
} from "../generated/sweepd/v1/replay_pb.js";
import {
  VerificationOptionsSchema,
  type VerificationOptions as WireOptions,
  type VerifyReplayResponse,
} from "../generated/sweepd/v1/replay_service_pb.js";
import { Role as WireRole } from "../generated/sweepd/v1/role_pb.js";
import { ScoreSchema } from "../generated/sweepd/v1/scoring_pb.js";
import { ReplayEnd, ReplayVerdict, type Receipt, type Verification, type VerificationOptions } from "../replays.js";
import { ErrorCode } from "../status.js";
import { Role } from "../types.js";
import { checkUint32, FieldError, type Checked } from "./field_error.js";
import { decodeScore } from "./match_codec.js";
import { nameIn } from "./wire_names.js";

export function decodeReceipt(receipt: WireReceipt): Receipt {
  return {
    matchId: receipt.matchId,
    nonce: receipt.nonce,
    end: nameIn(ReplayEnd, WireEnd[receipt.end]) ?? ReplayEnd.Unknown,
    tickCount: Number(receipt.tickCount),
    finalDigest: receipt.finalDigest,
    participants: receipt.participants.map(({ number, name, role }) => ({
      number,
      name,
      role: nameIn(Role, WireRole[role]) ?? Role.Player,
    })),
    scores: receipt.scores.map(decodeScore),
    publicKey: receipt.publicKey,
    signature: receipt.signature,
    version: receipt.version === 0 ? 1 : receipt.version,
    statement: receipt.statement,
    rulesDigest: receipt.rulesDigest,
    rulesName: receipt.rulesName,
    creator: receipt.creator && {
      name: receipt.creator.name,
      issuer: receipt.creator.issuer,
      tenant: receipt.creator.tenant,
    },
  };
}

export function decodeVerification(response: VerifyReplayResponse): Verification {
  return {
    verdict: nameIn(ReplayVerdict, WireVerdict[response.verdict]) ?? ReplayVerdict.Unknown,
    what: response.what,
    divergingTick: Number(response.divergingTick),
    divergingObject: response.divergingObject === 0 ? undefined : response.divergingObject,
    comparedTick: Number(response.comparedTick),
    receipt: response.receipt && decodeReceipt(response.receipt),
    isSigned: response.isSigned,
    ticksPlayed: Number(response.ticksPlayed),
    finalDigest: response.finalDigest,
    scores: response.scores.map(decodeScore),
    faultOffset: Number(response.faultOffset),
    rulesDigest: response.rulesDigest,
  };
}

function checkScore(score: number): FieldError | undefined {
  if (Number.isSafeInteger(score)) return undefined;
  return new FieldError(ErrorCode.OutOfRange, "score", `is ${score}, which is no whole number`);
}

export function encodeVerificationOptions(options: VerificationOptions): Checked<WireOptions> {
  const message = create(VerificationOptionsSchema);
  if (options.publicKey) message.publicKey = new Uint8Array(options.publicKey);
  if (options.nonce) message.nonce = new Uint8Array(options.nonce);
  if (options.creator) message.creator = create(TicketSubjectSchema, options.creator);
  for (const [index, { participant, name, score }] of (options.claimedScores ?? []).entries()) {
    const error = checkUint32(participant, "participant") ?? checkScore(score);
    if (error) return error.within(`claimedScores[${index}]`);
    message.claimedScores.push(create(ScoreSchema, { participant, name, score: BigInt(score) }));
  }
  return message;
}
