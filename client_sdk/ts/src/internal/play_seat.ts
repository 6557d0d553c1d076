// SPDX-License-Identifier: MIT
import type { OwnerChange as WireOwnerChange } from "../generated/sweepd/v1/outcome_pb.js";
import type { Participant as WireParticipant } from "../generated/sweepd/v1/types_pb.js";
import { Status } from "../status.js";
import { SessionState, type Participant, type ParticipantNumber, type Role } from "../types.js";
import { decodeParticipant } from "./match_codec.js";
import { MoveEncoder } from "./move_encoder.js";

/**
 * A participant on a stream. A stream has one, or several if it is shared. Its state goes forward: connecting, joined (and
 * reconnecting, and joined again), then failed or left, which stay. How the stream is comes on top of that.
 */
export class PlaySeat {
  readonly moves = new MoveEncoder();
  /** It has joined on the connection that is there. */
  isHere = false;
  /** Empty until the first join. */
  participant: Participant | undefined;
  error: Status = Status.ok;
  /** Of objects that a former process spawned, which is not told. */
  readonly idsToSkip: number;
  private own: SessionState = SessionState.Connecting;

  /** `token`: for taking the seat again; at first that of a former process, or empty. */
  constructor(
    readonly name: string,
    readonly role: Role,
    public token: Uint8Array<ArrayBuffer>,
  ) {
    this.idsToSkip = token.reduce((hash, byte) => Math.imul(hash ^ byte, 0x0100_0193) >>> 0, 0);
  }

  /** The server gives the number of one that has left to another. */
  get number(): ParticipantNumber | undefined {
    return this.participant?.number;
  }

  get isOver(): boolean {
    return this.own === SessionState.Failed || this.own === SessionState.Left;
  }

  /** On a stream in the state `stream`. */
  stateOn(stream: SessionState): SessionState {
    if (this.isOver || stream === SessionState.Joined) return this.own;
    const joinsLater = stream === SessionState.Reconnecting && this.own === SessionState.Connecting;
    return joinsLater ? this.own : stream;
  }

  /** What it was until now: of Joined the server has to be told. */
  leave(): SessionState {
    const before = this.own;
    if (!this.isOver) this.own = SessionState.Left;
    return before;
  }

  /** What has ended for it alone. */
  fail(error: Status): void {
    if (this.isOver) return;
    this.own = SessionState.Failed;
    this.error = error;
  }

  /** False: it has been given up meanwhile. */
  sitDown(participant: WireParticipant, token: Uint8Array): boolean {
    this.participant = decodeParticipant(participant);
    this.token = new Uint8Array(token);
    this.isHere = true;
    if (this.isOver) return false;
    this.own = SessionState.Joined;
    return true;
  }

  /** The connection that it was on is gone. */
  standUp(): void {
    this.moves.reset();
    this.isHere = false;
    if (this.own === SessionState.Joined) this.own = SessionState.Reconnecting;
  }

  /** The stage may have come to it, or gone from it. */
  takeStage(change: WireOwnerChange): void {
    if (!change.withStage || !this.participant || !this.isHere) return;
    if (change.toParticipant === this.number) this.participant = { ...this.participant, actsAsStage: true };
    if (change.fromParticipant === this.number) this.participant = { ...this.participant, actsAsStage: false };
  }
}
