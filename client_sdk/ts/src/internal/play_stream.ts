// SPDX-License-Identifier: MIT
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ClockControlSchema, type ClockControl } from "../generated/sweepd/v1/clock_pb.js";
import {
  JoinSchema,
  LeaveSchema,
  PlayRequestSchema,
  PlayResponseSchema,
  TicketRefreshSchema,
  type Join,
  type Joined,
  type JoinRefused,
  type PlayRequest,
} from "../generated/sweepd/v1/match_service_pb.js";
import type { EventFilter, QueuePolicy } from "../generated/sweepd/v1/subscription_pb.js";
import type { Match, Participant, TickUpdate } from "../generated/sweepd/v1/types_pb.js";
import { ErrorCode, Status } from "../status.js";
import { SessionState } from "../types.js";
import type { Link } from "./link.js";
import { encodeRole } from "./match_codec.js";
import { MatchStream, type Route } from "./match_stream.js";
import { inMessages, prepare, type Outgoing, type SeatFrame } from "./outgoing.js";
import type { PlaySeat } from "./play_seat.js";
import { Queue } from "./queue.js";
import { statusOfRefusal } from "./server_status.js";
import { decodeUndone } from "./stream_codec.js";
import { Subscription } from "./subscription.js";
import { Timer } from "./timer.js";

/** How somebody wants to play. */
export interface PlayOptions {
  readonly matchId: string;
  readonly framesQueuedMax: number;
  readonly filter: EventFilter;
  readonly queuePolicy: QueuePolicy;
  readonly isShared: boolean;
}

/** What a socket may hold that is not on the wire: a slow connection is to hold up frames here, where they are counted. */
const BUFFERED_BYTES_MAX = 64 * 1024;
/** Sockets do not say when they have room again. */
const ROOM_CHECK_MS = 5;
const LEAVE_TIMEOUT_MS = 2_000;
/** Of a participant that was on the stream; a further join is refused as BANNED, too. */
const DEPARTURES = ["REPLACED", "KICKED", "BANNED"];

/**
 * A participant's stream: a join, then frames out; updates in. If it is shared, further participants join on it in the
 * order in which they are added, on each connection anew.
 *
 * Frames wait in a bounded queue while the connection takes none, and while the stream is on its way back. When the queue
 * is full, `send` refuses and the game keeps the frame. Nothing that was taken is dropped while the stream lives, but for
 * what was on its way when it broke.
 */
export class PlayStream extends MatchStream {
  protected readonly path = "/sweepd.v1.MatchService/Play";
  private readonly queued = new Queue<Outgoing>();
  private readonly roomTimer = new Timer();
  /** Those that are not done, in the order of adding. */
  private seats: PlaySeat[];
  /** Who joins first on this connection, */
  private caller: PlaySeat;
  /** and who joined on it and waits for an answer. */
  private answersDue: PlaySeat[] = [];
  private reconnectTicks = 0;
  /** On this connection: frames may go out. */
  private isSeated = false;
  private isLeaving = false;

  constructor(
    route: Route,
    subscription: Subscription,
    private readonly options: PlayOptions,
    firstSeat: PlaySeat,
  ) {
    super(route, subscription);
    this.seats = [firstSeat];
    this.caller = firstSeat;
  }

  get isShared(): boolean {
    return this.options.isShared;
  }

  get unsentFrames(): number {
    return this.queued.size;
  }

  checkRoom(): Status {
    const waiting = this.queued.size;
    if (waiting < this.options.framesQueuedMax) return Status.ok;
    return new Status(ErrorCode.QueueFull, `${waiting} frames wait for the connection`);
  }

  sendFrames(frames: readonly SeatFrame[]): void {
    for (const message of inMessages(frames)) this.queued.put({ kind: "frames", frames: message });
    this.flush();
  }

  /** Behind the frames that were taken, in the same queue. */
  sendClockControl(control: Pick<ClockControl, "paused" | "tickRateHz">): Status {
    return this.queueIfRoom({ case: "clockControl", value: create(ClockControlSchema, control) });
  }

  sendTicket(ticket: string): Status {
    return this.queueIfRoom({ case: "refresh", value: create(TicketRefreshSchema, { ticket }) });
  }

  /** Only to a shared one. */
  add(seat: PlaySeat): void {
    this.seats.push(seat);
    if (this.link && this.isSeated) this.join(this.link, seat); // Else all join when the connection is there.
  }

  /** One of several leaves, behind the frames that were taken. */
  leaveSeat(seat: PlaySeat): void {
    // Else there is no seat to leave yet: the server is told when it is there.
    if (seat.leave() === SessionState.Joined) this.queue({ kind: "leave", seat });
    this.subscription.changes.fire();
  }

  /** Sends what waits, then ends the stream; a server that does not answer to that in time is left anyway. */
  leave(): void {
    const wasJoined = this.subscription.state === SessionState.Joined;
    this.subscription.leave();
    if (this.isLeaving) return;
    this.isLeaving = true;
    if (!wasJoined) {
      this.close();
      return;
    }
    this.closeAfter(LEAVE_TIMEOUT_MS);
    this.flush();
  }

  protected override opened(link: Link): void {
    this.isSeated = false;
    this.answersDue = [];
    for (const seat of this.seats) seat.standUp();
    this.forgetThoseGone();
    // Rather one whom the server knows: with it the stream goes on where it was.
    const caller = this.seats.find((seat) => seat.number !== undefined) ?? this.seats[0];
    if (!caller) {
      this.cancel();
      return;
    }
    this.caller = caller;
    const join = joinOf(caller);
    const { matchId, filter, queuePolicy, isShared } = this.options;
    Object.assign(join, { matchId, filter, queuePolicy, isShared });
    // A process that comes back with a saved token has seen nothing: a snapshot tells it what is in contact.
    if (this.subscription.epoch !== 0n) join.resume = this.subscription.resumePoint();
    write(link, { case: "join", value: join });
  }

  protected override mayComeBack(): boolean {
    return this.reconnectTicks > 0 && this.seats.some((seat) => !seat.isOver && seat.token.length > 0);
  }

  protected override receive(bytes: Uint8Array): boolean {
    const { message } = fromBinary(PlayResponseSchema, bytes);
    switch (message.case) {
      case "joined":
        return this.receiveJoined(message.value);
      case "update":
        return this.receiveUpdate(message.value);
      case "ended":
        this.subscription.end(message.value.match);
        return true;
      case "joinRefused":
        this.receiveRefusal(message.value);
        return true;
      case "heartbeat":
      case undefined: // A kind of message that a newer server knows.
        return true;
    }
  }

  private receiveUpdate(update: TickUpdate): boolean {
    for (const change of update.ownerChanges) for (const seat of this.seats) seat.takeStage(change);
    return this.subscription.update(update);
  }

  private receiveJoined(joined: Joined): boolean {
    const { match, participant } = joined;
    if (!participant) return false;
    if (!this.isSeated) return match !== undefined && this.receiveFirst(joined, match, participant);
    const seat = this.answersDue.shift();
    if (!seat) return false; // No join waits for an answer.
    if (!seat.sitDown(participant, joined.reconnectToken)) this.queue({ kind: "leave", seat });
    return true;
  }

  private receiveFirst(joined: Joined, match: Match, participant: Participant): boolean {
    const isAwaited = this.caller.sitDown(participant, joined.reconnectToken);
    this.reconnectTicks = match.config?.reconnectTicks ?? 0;
    const undone = joined.undone && decodeUndone(joined.undone);
    if (!this.joined({ ...joined, match, undone })) return false;
    this.isSeated = true;
    this.forgetThoseGone();
    const { link } = this;
    if (link) for (const seat of this.seats) if (seat !== this.caller) this.join(link, seat);
    if (!isAwaited) this.queue({ kind: "leave", seat: this.caller });
    this.flush();
    return true;
  }

  /** Of a further join, or of one that was on the stream and is not any more. */
  private receiveRefusal(refusal: JoinRefused): void {
    const error = statusOfRefusal(refusal);
    if (DEPARTURES.includes(refusal.reason)) {
      const departed = this.seats.find((seat) => seat.isHere && seat.name === refusal.name);
      if (departed) departed.isHere = false;
      if (departed) this.refuse(departed, error);
      if (departed || refusal.reason === "REPLACED") return;
    }
    const seat = this.answersDue.shift();
    if (seat) this.refuse(seat, error);
  }

  private refuse(seat: PlaySeat, error: Status): void {
    seat.fail(error);
    this.seats = this.seats.filter((one) => one !== seat);
  }

  private join(link: Link, seat: PlaySeat): void {
    if (seat.isOver) {
      this.seats = this.seats.filter((one) => one !== seat);
      return;
    }
    write(link, { case: "join", value: joinOf(seat) });
    this.answersDue.push(seat);
  }

  /** Those that have left or failed, and of which this connection has never heard. */
  private forgetThoseGone(): void {
    this.seats = this.seats.filter((seat) => !seat.isOver || seat.isHere);
  }

  private queueIfRoom(message: PlayRequest["message"]): Status {
    const room = this.checkRoom();
    if (room.ok) this.queue({ kind: "message", message });
    return room;
  }

  private queue(outgoing: Outgoing): void {
    this.queued.put(outgoing);
    this.flush();
  }

  private flush(): void {
    if (!this.link || !this.isSeated) return;
    while (this.link.bufferedBytes < BUFFERED_BYTES_MAX) {
      const outgoing = this.queued.take();
      if (!outgoing) {
        if (this.isLeaving) this.writeLeave(this.link);
        return;
      }
      const message = prepare(outgoing, this.isShared);
      if (message) write(this.link, message);
      if (outgoing.kind === "leave") this.seats = this.seats.filter((seat) => seat !== outgoing.seat);
    }
    if (this.queued.size === 0 && !this.isLeaving) return;
    this.roomTimer.start(ROOM_CHECK_MS, () => {
      this.flush();
    });
  }

  private writeLeave(link: Link): void {
    this.isSeated = false;
    write(link, { case: "leave", value: create(LeaveSchema) });
  }
}

function joinOf(seat: PlaySeat): Join {
  return create(JoinSchema, { name: seat.name, role: encodeRole(seat.role), reconnectToken: seat.token });
}

function write(link: Link, message: PlayRequest["message"]): void {
  link.send(toBinary(PlayRequestSchema, create(PlayRequestSchema, { message })));
}
