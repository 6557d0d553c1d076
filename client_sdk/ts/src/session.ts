// SPDX-License-Identifier: MIT
import type { ClaimVerdict } from "./claims.js";
import { FrameAuthor } from "./frame_author.js";
import { checkTick, isError } from "./internal/field_error.js";
import { FrameDraft } from "./internal/frame_draft.js";
import { ObjectIds } from "./internal/object_ids.js";
import { checkOneOf } from "./internal/options.js";
import type { SeatFrame } from "./internal/outgoing.js";
import { PlaySeat } from "./internal/play_seat.js";
import type { PlayStream } from "./internal/play_stream.js";
import type { Subscription } from "./internal/subscription.js";
import { tokenOf, tokenText } from "./internal/token_text.js";
import { ErrorCode, failure, Status, success, type Result } from "./status.js";
import type { Reconnection } from "./stream.js";
import {
  Role,
  SessionState,
  type Encounter,
  type Participant,
  type ParticipantNumber,
  type Rejection,
  type Tick,
} from "./types.js";

/**
 * A seat in a match. No call waits, and none throws: what goes wrong is a Status.
 *
 *     if (session.state === SessionState.Joined) {
 *       session.move(ship, { x, y });
 *       session.endFrame();
 *     }
 *     for (let event; (event = session.pollEvent()); ) { … }
 *
 * Changes are those of a FrameAuthor; what the server refuses of them later comes back through `pollRejection`. What the
 * match tells is polled as from every MatchFeed.
 *
 * When the connection breaks, the SDK comes back by itself: to the same seat, with its objects, and to the same place in
 * the log (`pollReconnection`). Meanwhile frames can still be ended; they wait, up to framesQueuedMax, and go out when the
 * stream is back, where the match's rules for late frames hold for them. Frames that were on their way when it broke may
 * be lost, and apply once at most.
 *
 * The seat is kept for MatchConfig.reconnectTicks, also for a new process (`reconnectToken`). Who comes back later is Failed, with the reason INVALID_TOKEN: call
 * Client.join again, forget all ids of objects, and spawn again.
 *
 * Incoming queues are bounded (JoinOptions): a game that stops polling for that long loses the session (Failed,
 * ResourceExhausted) rather than events in the middle.
 */
export class Session extends FrameAuthor {
  private frameDraft: FrameDraft | undefined;

  /** @internal */
  constructor(
    subscription: Subscription,
    private readonly stream: PlayStream,
    private readonly seat: PlaySeat,
    private readonly onStream: Session[],
  ) {
    super(subscription);
    onStream.push(this);
  }

  override get state(): SessionState {
    return this.seat.stateOn(this.subscription.state);
  }

  override get error(): Status {
    return this.seat.error.ok ? this.subscription.error : this.seat.error;
  }

  /** The seat. Undefined until joined. */
  get participant(): Participant | undefined {
    return this.seat.participant;
  }

  /**
   * With this a new process takes the seat again if this one is gone (JoinOptions.reconnectToken). Each time that the
   * session is joined or comes back there is another, and the former one ends with the first frame after that: save it
   * before. Its holder has the seat: keep it secret. The new process takes ids from another place of the block.
   */
  get reconnectToken(): string {
    return tokenText(this.seat.token);
  }

  /** What was in contact when this session joined. */
  get encountersAtJoin(): readonly Encounter[] {
    return this.subscription.encounters;
  }

  /** Further refusals that the server has only counted, because there were too many at once. */
  get rejectionsNotListed(): number {
    return this.subscription.rejectionsNotListed;
  }

  /** Frames taken by `endFrame` that the connection has not taken yet. */
  get unsentFrames(): number {
    return this.stream.unsentFrames;
  }

  /**
   * Sends the frame in progress, even if empty, and begins the next. `tick` 0: for the server's next tick. QueueFull: the
   * frame stays in progress.
   */
  endFrame(tick: Tick = 0): Status {
    const draft = this.draft();
    if (!draft.ok) return draft.status;
    const error = checkTick(tick, "tick");
    if (error) return error.status();
    const room = this.stream.checkRoom();
    if (!room.ok) return room;
    this.stream.sendFrames([this.finish(draft.value, tick)]);
    return Status.ok;
  }

  /** Sends the frames in progress of all sessions of this stream that have joined, in one message: see `joinAlso`. */
  endFrames(tick: Tick = 0): Status {
    const joined = this.onStream.flatMap((session) => {
      const draft = session.draft();
      return draft.ok ? [{ session, draft: draft.value }] : [];
    });
    if (joined.length === 0) return this.draft().status;
    const error = checkTick(tick, "tick");
    if (error) return error.status();
    const room = this.stream.checkRoom();
    if (!room.ok) return room;
    this.stream.sendFrames(joined.map(({ session, draft }) => session.finish(draft, tick)));
    return Status.ok;
  }

  /**
   * A further participant of the match, on the stream of this session, which was joined with JoinOptions.shared: so a game
   * server plays for up to 64 over one stream, and is told everything once. The session that this returns has its own
   * state, error, seat and frames. But what is polled, and the bounds of what waits, are the stream's: poll it all from one
   * of its sessions, whichever (Rejection.participant and ClaimVerdict.claimant say whose something is).
   *
   * One that is refused fails and leaves the others as they are, unless it is the first, with whom the stream fails. When
   * the stream breaks, all of them come back; a session that is not back yet is Reconnecting.
   */
  joinAlso(name: string, role: Role = Role.Player, reconnectToken = ""): Session {
    const token = tokenOf(reconnectToken);
    const seat = new PlaySeat(name, role, isError(token) ? new Uint8Array() : token);
    const error = checkOneOf(role, Object.values(Role), "role") ?? (isError(token) ? token : undefined);
    if (error) seat.fail(error.status());
    else if (this.stream.isShared) this.stream.add(seat);
    else seat.fail(new Status(ErrorCode.FailedPrecondition, "the session was joined without JoinOptions.shared"));
    return new Session(this.subscription, this.stream, seat, this.onStream);
  }

  /** The verdict on the next of this session's claims, or nothing now. Bounded as `pollDestruction` is. */
  pollVerdict(): ClaimVerdict | undefined {
    return this.subscription.facts.claimVerdicts.take()?.verdict;
  }

  /** The next refusal, or nothing now. */
  pollRejection(): Rejection | undefined {
    const rejection = this.subscription.rejections.take();
    // A spawn that was refused holds no id, unless it was refused because the id is in use.
    if (rejection?.field.startsWith("spawns[") && rejection.reason !== "ID_IN_USE")
      this.sessionOf(rejection.participant)?.frameDraft?.ids.givenAway(rejection.object);
    return rejection;
  }

  override pollReconnection(): Reconnection | undefined {
    const reconnection = super.pollReconnection();
    if (reconnection?.undone) for (const session of this.onStream) session.frameDraft?.ids.anyMayBeGone();
    return reconnection;
  }

  /**
   * For those whose role may control the clock; others get a rejection (MAY_NOT_CONTROL). The server acts when it comes in,
   * and `clock` tells when it has; frames that `endFrame` took before go first.
   */
  pause(): Status {
    return this.ifJoined(() => this.stream.sendClockControl({ paused: true }));
  }

  resume(): Status {
    return this.ifJoined(() => this.stream.sendClockControl({ paused: false }));
  }

  /** 1 to 240. */
  setTickRate(tickRateHz: number): Status {
    if (!Number.isInteger(tickRateHz) || tickRateHz < 1 || tickRateHz > 240) {
      const message = `tickRateHz is ${tickRateHz}; 1 to 240 are allowed`;
      return new Status(ErrorCode.OutOfRange, message, "", "tickRateHz");
    }
    return this.ifJoined(() => this.stream.sendClockControl({ tickRateHz }));
  }

  /**
   * The stream goes on after its ticket's time with this one, which has to be of the same subject, role and match; one that
   * is no good is a rejection. Reconnections take the client's token.
   */
  refreshTicket(ticket: string): Status {
    return this.ifJoined(() => this.stream.sendTicket(ticket));
  }

  /**
   * Sends the frames that `endFrame` took, then leaves the match; the objects of this session leave with the server's next
   * tick. While reconnecting the server cannot be told: it keeps the seat for as long as it does. Other sessions of the
   * stream go on.
   */
  leave(): void {
    const hasCompany = this.onStream.some((session) => session !== this && !session.seat.isOver);
    if (hasCompany && !this.subscription.isOver) {
      this.stream.leaveSeat(this.seat);
      return;
    }
    if (!this.subscription.isOver) this.seat.leave();
    this.stream.leave();
  }

  /** @internal */
  protected override get isOver(): boolean {
    return this.subscription.isOver || this.seat.isOver;
  }

  /** @internal */
  protected override draft(): Result<FrameDraft> {
    const { config } = this.subscription;
    const { participant, state } = this;
    const hasJoined = state === SessionState.Joined || state === SessionState.Reconnecting;
    if (!hasJoined || !participant || !config)
      return failure(new Status(ErrorCode.NotJoined, "the session has no seat in the match"));
    const { firstId, lastId } = participant;
    this.frameDraft ??= new FrameDraft(config, new ObjectIds(firstId, lastId, this.seat.idsToSkip));
    return success(this.frameDraft);
  }

  private finish(draft: FrameDraft, tick: Tick): SeatFrame {
    const frame = draft.frame.finish(tick, this.tick);
    draft.ids.frameSent();
    return { seat: this.seat, frame };
  }

  /** Without a number the first that is here. One that has left may have had the same number. */
  private sessionOf(number: ParticipantNumber | undefined): Session | undefined {
    return this.onStream.find((one) => !one.seat.isOver && (number === undefined || one.seat.number === number));
  }

  private ifJoined(act: () => Status): Status {
    const draft = this.draft();
    return draft.ok ? act() : draft.status;
  }
}
