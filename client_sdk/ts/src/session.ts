// SPDX-License-Identifier: MIT
import type { ClaimVerdict } from "./claims.js";
import { FrameAuthor } from "./frame_author.js";
import { checkTick } from "./internal/field_error.js";
import { FrameDraft } from "./internal/frame_draft.js";
import { ObjectIds } from "./internal/object_ids.js";
import type { PlayStream } from "./internal/play_stream.js";
import type { Subscription } from "./internal/subscription.js";
import { ErrorCode, failure, Status, success, type Result } from "./status.js";
import type { Reconnection } from "./stream.js";
import type { Encounter, Participant, Rejection, Tick } from "./types.js";

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
 * The seat is kept for MatchConfig.reconnectTicks. Who comes back later is Failed, with the reason INVALID_TOKEN: call
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
  ) {
    super(subscription);
  }

  /** The seat. Undefined until joined. */
  get participant(): Participant | undefined {
    return this.subscription.seat;
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
    this.stream.sendFrame(draft.value.frame.finish(tick, this.tick));
    draft.value.ids.frameSent();
    return Status.ok;
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
      this.frameDraft?.ids.givenAway(rejection.object);
    return rejection;
  }

  override pollReconnection(): Reconnection | undefined {
    const reconnection = super.pollReconnection();
    if (reconnection?.undone) this.frameDraft?.ids.anyMayBeGone();
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
   * tick. While reconnecting the server cannot be told: it keeps the seat for as long as it does.
   */
  leave(): void {
    this.stream.leave();
  }

  /** @internal */
  protected override draft(): Result<FrameDraft> {
    const { seat, config, hasJoined } = this.subscription;
    if (!hasJoined || !seat || !config)
      return failure(new Status(ErrorCode.NotJoined, "the session has no seat in the match"));
    this.frameDraft ??= new FrameDraft(config, new ObjectIds(seat.firstId, seat.lastId));
    return success(this.frameDraft);
  }

  private ifJoined(act: () => Status): Status {
    const draft = this.draft();
    return draft.ok ? act() : draft.status;
  }
}
