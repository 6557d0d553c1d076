// SPDX-License-Identifier: MIT
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ClockControlSchema, type ClockControl } from "../generated/sweepd/v1/clock_pb.js";
import {
  JoinSchema,
  LeaveSchema,
  PlayRequestSchema,
  PlayResponseSchema,
  TicketRefreshSchema,
  type Joined,
  type PlayRequest,
} from "../generated/sweepd/v1/match_service_pb.js";
import type { EventFilter, QueuePolicy } from "../generated/sweepd/v1/subscription_pb.js";
import type { Frame } from "../generated/sweepd/v1/types_pb.js";
import { ErrorCode, Status } from "../status.js";
import { SessionState, type Role } from "../types.js";
import type { Link } from "./link.js";
import { encodeRole } from "./match_codec.js";
import { MatchStream, type Route } from "./match_stream.js";
import { MoveEncoder } from "./move_encoder.js";
import { Queue } from "./queue.js";
import { decodeUndone } from "./stream_codec.js";
import { Subscription } from "./subscription.js";
import { Timer } from "./timer.js";

/** Who wants to play, and how. */
export interface JoinRequest {
  readonly matchId: string;
  readonly name: string;
  readonly role: Role;
  readonly framesQueuedMax: number;
  readonly filter: EventFilter;
  readonly queuePolicy: QueuePolicy;
}

/** What a socket may hold that is not on the wire: a slow connection is to hold up frames here, where they are counted. */
const BUFFERED_BYTES_MAX = 64 * 1024;
/** Sockets do not say when they have room again. */
const ROOM_CHECK_MS = 5;
const LEAVE_TIMEOUT_MS = 2_000;

/**
 * A participant's stream: a join, then frames out; updates in.
 *
 * Frames wait in a bounded queue while the connection takes none, and while the stream is on its way back. When the queue
 * is full, `send` refuses and the game keeps the frame. Nothing that was taken is dropped while the stream lives, but for
 * what was on its way when it broke.
 */
export class PlayStream extends MatchStream {
  protected readonly path = "/sweepd.v1.MatchService/Play";
  private readonly queued = new Queue<PlayRequest["message"]>();
  private readonly moves = new MoveEncoder();
  private readonly roomTimer = new Timer();
  private token = new Uint8Array();
  private reconnectTicks = 0;
  private isSeated = false;
  private isLeaving = false;

  constructor(
    route: Route,
    subscription: Subscription,
    private readonly request: JoinRequest,
  ) {
    super(route, subscription);
  }

  get unsentFrames(): number {
    return this.queued.size;
  }

  checkRoom(): Status {
    const waiting = this.queued.size;
    if (waiting < this.request.framesQueuedMax) return Status.ok;
    return new Status(ErrorCode.QueueFull, `${waiting} frames wait for the connection`);
  }

  sendFrame(frame: Frame): void {
    this.queue({ case: "frame", value: frame });
  }

  /** Behind the frames that were taken, in the same queue. */
  sendClockControl(control: Pick<ClockControl, "paused" | "tickRateHz">): Status {
    return this.queueIfRoom({ case: "clockControl", value: create(ClockControlSchema, control) });
  }

  sendTicket(ticket: string): Status {
    return this.queueIfRoom({ case: "refresh", value: create(TicketRefreshSchema, { ticket }) });
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
    this.moves.reset();
    const { matchId, name, role, filter, queuePolicy } = this.request;
    const join = create(JoinSchema, { matchId, name, role: encodeRole(role), filter, queuePolicy });
    join.reconnectToken = this.token;
    if (this.subscription.epoch !== 0n) join.resume = this.subscription.resumePoint();
    write(link, { case: "join", value: join });
  }

  protected override mayComeBack(): boolean {
    return this.reconnectTicks > 0 && this.token.length > 0;
  }

  protected override receive(bytes: Uint8Array): boolean {
    const { message } = fromBinary(PlayResponseSchema, bytes);
    switch (message.case) {
      case "joined":
        return this.receiveJoined(message.value);
      case "update":
        return this.subscription.update(message.value);
      case "ended":
        this.subscription.end(message.value.match);
        return true;
      case "heartbeat":
      case "joinRefused": // Of shared streams.
      case undefined: // A kind of message that a newer server knows.
        return true;
    }
  }

  private receiveJoined(joined: Joined): boolean {
    const { match, participant } = joined;
    if (!match || !participant) return false;
    this.token = new Uint8Array(joined.reconnectToken);
    this.reconnectTicks = match.config?.reconnectTicks ?? 0;
    const undone = joined.undone && decodeUndone(joined.undone);
    if (!this.joined({ ...joined, match, seat: participant, undone })) return false;
    this.isSeated = true;
    this.flush();
    return true;
  }

  private queueIfRoom(message: PlayRequest["message"]): Status {
    const room = this.checkRoom();
    if (room.ok) this.queue(message);
    return room;
  }

  private queue(message: PlayRequest["message"]): void {
    this.queued.put(message);
    this.flush();
  }

  private flush(): void {
    if (!this.link || !this.isSeated) return;
    while (this.link.bufferedBytes < BUFFERED_BYTES_MAX) {
      const message = this.queued.take();
      if (!message) {
        if (this.isLeaving) this.writeLeave(this.link);
        return;
      }
      if (message.case === "frame") this.moves.encode(message.value);
      write(this.link, message);
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

function write(link: Link, message: PlayRequest["message"]): void {
  link.send(toBinary(PlayRequestSchema, create(PlayRequestSchema, { message })));
}
