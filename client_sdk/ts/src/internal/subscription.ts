// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import type { Encounter as WireEncounter } from "../generated/sweepd/v1/encounter_pb.js";
import { ResumePointSchema, type ResumePoint } from "../generated/sweepd/v1/subscription_pb.js";
import type { Match, MatchConfig as WireConfig, TickUpdate } from "../generated/sweepd/v1/types_pb.js";
import { ErrorCode, Status } from "../status.js";
import type { EncounterSnapshot, EventGap, Reconnection, Stays, Undone } from "../stream.js";
import {
  EndReason,
  SessionState,
  type ClockState,
  type Encounter,
  type Event,
  type MatchInfo,
  type ParticipantNumber,
  type Rejection,
  type Tick,
} from "../types.js";
import { decodeEncounter, decodeEvents, decodeRejection } from "./event_decoder.js";
import { Facts } from "./facts.js";
import { decodeClock, decodeEndReason, decodeMatch } from "./match_codec.js";
import { Queue, Recent } from "./queue.js";
import { Scores } from "./scores.js";
import { Signal } from "./signal.js";

/** The first message of a stream. */
export interface SubscriptionStart {
  readonly match: Match;
  readonly openEncounters: readonly WireEncounter[];
  readonly epoch: bigint;
  readonly resumed: boolean;
  readonly undone: Undone | undefined;
  /** The server sends something at least so often; 0: unknown. */
  readonly heartbeatMs: number;
}

/**
 * What a stream has brought so far. The state goes forward: connecting, joined (and reconnecting, and joined again), then
 * one of ended, failed and left, which stay.
 */
export class Subscription {
  state: SessionState = SessionState.Connecting;
  error: Status = Status.ok;
  match: MatchInfo | undefined;
  /** Of the match, as it came. */
  config: WireConfig | undefined;
  encounters: readonly Encounter[] = [];
  tick: Tick = 0;
  digest = 0n;
  digestTick: Tick = 0;
  durableTick: Tick = 0;
  endReason: EndReason = EndReason.None;
  clock: ClockState = { paused: false, tickRateHz: 0 };
  away: readonly ParticipantNumber[] = [];
  rejectionsNotListed = 0;
  /** The newest: it makes older ones history. */
  snapshot: EncounterSnapshot | undefined;
  stays: Stays | undefined;
  /** Of the server's log; 0: it has not joined. */
  epoch = 0n;
  /** The match goes on after a restart of the server. */
  isKept = false;
  readonly events = new Queue<Event>();
  readonly rejections = new Queue<Rejection>();
  readonly facts = new Facts();
  readonly reconnections = new Recent<Reconnection>();
  readonly gaps = new Recent<EventGap>();
  readonly scores = new Scores();
  /** Something came, or the state changed. */
  readonly changes = new Signal();

  private lastSequenceNumber = 0;
  private hasProgress = false;
  private heardAt = 0;

  /** `queuedMax`: what may wait to be polled. `isFiltered`: the server holds events back, so their numbers have gaps. */
  constructor(
    private readonly queuedMax: number,
    private isFiltered: boolean,
  ) {}

  get hasJoined(): boolean {
    return this.state === SessionState.Joined || this.state === SessionState.Reconnecting;
  }

  get isOver(): boolean {
    return this.state !== SessionState.Connecting && !this.hasJoined;
  }

  /** Since something came. 0 before the first join and when it is over. */
  get silentForMs(): number {
    return this.hasJoined ? performance.now() - this.heardAt : 0;
  }

  noteHeard(): void {
    this.heardAt = performance.now();
    this.changes.fire();
  }

  /** For the first time, or again as `reconnection` says. False: too late, it is not waited for any more. */
  join(start: SubscriptionStart, reconnection: Reconnection): boolean {
    if (this.isOver) return false;
    const isFirst = this.state === SessionState.Connecting;
    const error = this.checkStart(start);
    if (error) return !this.fail(error);
    if (isFirst) this.beginMatch(start);
    this.clock = decodeClock(start.match.clock);
    this.durableTick = Number(start.match.durableTick);
    this.isKept = start.match.isKept;
    this.away = start.match.participants.filter((one) => one.isAway).map((one) => one.number);
    if (start.undone) this.undo(start.undone, start);
    if (isFirst || !start.resumed) this.beginWith(start);
    if (!isFirst && !start.resumed) this.snapshot = this.snapshotOf(start.openEncounters);
    // After what it announces: who polls it finds the snapshot.
    if (!isFirst) this.reconnections.put(reconnection);
    this.state = SessionState.Joined;
    return true;
  }

  /** An error ends the stream: the state is then Failed with that error. */
  update(update: TickUpdate): boolean {
    if (this.state !== SessionState.Joined) return true;
    const error = this.take(update);
    return !error || !this.fail(error);
  }

  end(match: Match | undefined): void {
    this.endReason = decodeEndReason(match?.endReason);
    this.finish(SessionState.Ended, Status.ok);
  }

  /** The first end counts. False: it had come to an end before. */
  fail(error: Status): boolean {
    return this.finish(SessionState.Failed, error);
  }

  leave(): void {
    this.finish(SessionState.Left, Status.ok);
  }

  /** The stream broke. False: it has not joined, or is over. */
  setReconnecting(): boolean {
    if (!this.hasJoined) return false;
    this.state = SessionState.Reconnecting;
    this.changes.fire();
    return true;
  }

  /** Whether it has brought anything since the last call. */
  takeProgress(): boolean {
    const hadProgress = this.hasProgress;
    this.hasProgress = false;
    return hadProgress;
  }

  resumePoint(): ResumePoint {
    return create(ResumePointSchema, {
      epoch: this.epoch,
      lastSequenceNumber: BigInt(this.lastSequenceNumber),
      lastTick: BigInt(this.tick),
    });
  }

  private finish(state: SessionState, error: Status): boolean {
    if (this.isOver) return false;
    this.error = error;
    this.state = state;
    this.changes.fire();
    return true;
  }

  private beginMatch(start: SubscriptionStart): void {
    this.hasProgress = true;
    this.match = decodeMatch(start.match);
    this.config = start.match.config;
    this.isFiltered ||= (start.match.config?.visibility.length ?? 0) > 0;
    this.encounters = start.openEncounters.map(decodeEncounter);
  }

  private beginWith(start: SubscriptionStart): void {
    this.epoch = start.epoch;
    this.lastSequenceNumber = Number(start.match.events);
    this.tick = Number(start.match.tick);
    this.digest = start.match.digest;
    this.digestTick = this.digest === 0n ? 0 : this.tick;
    this.scores.replace(start.match.scores);
  }

  /** A match has a bounded number of scores; one that the stream comes back to has come as far as was told. */
  private checkStart(start: SubscriptionStart): Status | undefined {
    if (!Scores.fit(start.match.scores)) return Scores.tooMany();
    if (start.resumed) return undefined;
    const lastNumber = Math.min(this.lastSequenceNumber, start.undone?.afterSequenceNumber ?? Infinity);
    const lastTick = Math.min(this.tick, start.undone?.afterTick ?? Infinity);
    if (Number(start.match.events) < lastNumber)
      return outOfOrder(`a snapshot up to event ${start.match.events}`, lastNumber);
    return Number(start.match.tick) < lastTick ? tickWentBack(start.match.tick, lastTick) : undefined;
  }

  /** What was told of later ticks and not polled yet is not told any more. */
  private undo(undone: Undone, start: SubscriptionStart): void {
    this.events.remove((event) => event.sequenceNumber > undone.afterSequenceNumber);
    this.gaps.remove((gap) => gap.first > undone.afterSequenceNumber);
    this.facts.undo(undone.afterTick);
    if (this.snapshot && this.snapshot.tick > undone.afterTick) this.snapshot = undefined;
    if (this.stays && this.stays.tick > undone.afterTick) this.stays = undefined;
    this.epoch = start.epoch;
    this.lastSequenceNumber = Math.min(this.lastSequenceNumber, undone.afterSequenceNumber);
    if (this.digestTick > undone.afterTick) {
      this.digest = 0n; // Of that tick it was not kept.
      this.digestTick = 0;
    }
    this.tick = Math.min(this.tick, undone.afterTick);
    this.scores.replace(start.match.scores);
  }

  private snapshotOf(encounters: readonly WireEncounter[]): EncounterSnapshot {
    const openEncounters = encounters.map(decodeEncounter);
    return { tick: this.tick, lastSequenceNumber: this.lastSequenceNumber, openEncounters };
  }

  private take(update: TickUpdate): Status | undefined {
    if (Number(update.tick) < this.tick) return tickWentBack(update.tick, this.tick);
    const events = decodeEvents(update);
    if (!events.ok) return events.status;
    const last = checkSequence(update, events.value, this.lastSequenceNumber, this.isFiltered);
    if (last instanceof Status) return last;
    const added = events.value.length + update.rejections.length;
    if (this.events.size + this.rejections.size + added > this.queuedMax) return tooManyWait();
    if (update.gap) this.gaps.put({ first: Number(update.gap.first), last: Number(update.gap.last) });
    for (const event of events.value) this.events.put(event);
    for (const rejection of update.rejections) this.rejections.put(decodeRejection(rejection));
    this.lastSequenceNumber = last;
    this.hasProgress = true;
    return this.takeState(update);
  }

  private takeState(update: TickUpdate): Status | undefined {
    this.tick = Number(update.tick);
    if (update.digest !== 0n) {
      this.digest = update.digest;
      this.digestTick = this.tick;
    }
    this.durableTick = Number(update.durableTick);
    if (update.clock) this.clock = decodeClock(update.clock);
    this.rejectionsNotListed += Number(update.rejectionsNotListed);
    this.facts.put(update);
    if (update.participantsAway) this.away = update.participantsAway.numbers;
    if (update.snapshot) this.snapshot = this.snapshotOf(update.snapshot.openEncounters);
    if (update.stays) {
      const encounters = update.stays.encounters.map(decodeEncounter);
      this.stays = { tick: Number(update.stays.tick), encounters };
    }
    return this.scores.put(update.scores);
  }
}

function outOfOrder(what: string, after: number): Status {
  return new Status(ErrorCode.Internal, `the server sent ${what} after event ${after}`);
}

function tickWentBack(tick: bigint, after: Tick): Status {
  return new Status(ErrorCode.Internal, `the server sent tick ${tick} after tick ${after}`);
}

function tooManyWait(): Status {
  const message = "more events and rejections wait to be polled than eventsQueuedMax allows";
  return new Status(ErrorCode.ResourceExhausted, message, "", "eventsQueuedMax");
}

/** The last number that the update covers, if its events follow `last`. */
function checkSequence(update: TickUpdate, events: readonly Event[], last: number, isFiltered: boolean): number | Status {
  if (update.gap) {
    const { first, last: end } = update.gap;
    if (Number(first) !== last + 1 || end < first) return outOfOrder("a gap", last);
    last = Number(end);
  }
  const covered = Number(update.lastSequenceNumber);
  if (update.snapshot) {
    if (covered < last) return outOfOrder(`a snapshot up to event ${covered}`, last);
    last = covered;
  }
  const first = events[0]?.sequenceNumber;
  const end = events.at(-1)?.sequenceNumber;
  if (first !== undefined && end !== undefined) {
    if (isFiltered ? first <= last : first !== last + 1) return outOfOrder(`event ${first}`, last);
    if (!isFiltered && end - first !== events.length - 1)
      return outOfOrder(`fewer events than there are up to event ${end}`, first);
    last = end;
  }
  if (isFiltered ? covered < last : covered !== last) return outOfOrder(`an update up to event ${covered}`, last);
  return covered;
}
