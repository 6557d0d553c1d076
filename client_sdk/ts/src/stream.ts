// SPDX-License-Identifier: MIT
//
// What a session or a watcher may ask of its stream, and what it is told when the stream did not go smoothly.
import type { Encounter, EventKind, ObjectId, Tick } from "./types.js";

/** Which encounters are told: those that pass all that is given. Sequence numbers stay those of the match's log. */
export interface EventFilter {
  /** One of the two layers has to be among them. Empty: any. */
  readonly layers?: readonly number[];
  /** One of the two objects has to be among them, at most 1024. Empty: any. */
  readonly objects?: readonly ObjectId[];
  /** Empty: both. */
  readonly kinds?: readonly EventKind[];
  /** One of the two objects has to be the session's own when it happens. Not for a watcher, which has none. */
  readonly ownObjects?: boolean;
  /** `pollStays` has news every so many ticks; at most 3600. 0: never. */
  readonly stayEveryTicks?: number;
  /** The server tells the digest only so often; at most 3600. 0: with every update. */
  readonly digestEveryTicks?: number;
}

/** What the server does when updates come faster than they are taken. */
export const WhenFull = {
  /** It ends the stream; the SDK comes back and resumes. */
  Disconnect: "DISCONNECT",
  /** It drops the oldest events; see `pollGap`. */
  Gap: "GAP",
  /** It replaces what waits by the open encounters; see `pollSnapshot`. */
  Coalesce: "COALESCE",
} as const;
export type WhenFull = (typeof WhenFull)[keyof typeof WhenFull];

export interface QueuePolicy {
  /** Default: Disconnect. */
  readonly whenFull?: WhenFull;
  /** How many events may wait at the server; 1 to 32768. 0: 32768. */
  readonly eventsMax?: number;
}

/**
 * How the SDK comes back when a stream breaks. It tries after pauses that double, each of them shortened at random by
 * up to half, so that many clients do not come back all at the same instant.
 */
export interface ReconnectOptions {
  /**
   * How long it tries, from the break on. Then the session fails with the last error. 0: it does not try. The server
   * keeps the seat for MatchConfig.reconnectTicks; when these are over it says so, and the session fails at once.
   * Default: 60000.
   */
  readonly timeoutMs?: number;
  /** 1 or more. Default: 50. */
  readonly firstPauseMs?: number;
  /** Not less than firstPauseMs. Default: 2000. */
  readonly longestPauseMs?: number;
  /**
   * A stream on which nothing has come for so long counts as broken, where the SDK may come back at all. Servers send
   * something every half second, also while no ticks run; less than twice their interval counts as that. 0: silence is
   * no reason. Default: 1500.
   */
  readonly silenceMaxMs?: number;
}

/**
 * The server died, and came back with the match as its journal has it: at an earlier tick than had been received. What
 * was received after that did not happen, or the server cannot tell any more that it did.
 */
export interface Undone {
  /** Ticks after this one are undone: events, scores, and what was spawned in them. */
  readonly afterTick: Tick;
  /** So are events with greater numbers, which are given again. */
  readonly afterSequenceNumber: number;
  /** Ticks that had been durable, and were lost to damage of the server's files. */
  readonly lostTicks: number;
}

/** The stream broke, and is there again. */
export interface Reconnection {
  /** The one that succeeded included. */
  readonly attempts: number;
  /** From the break until then. */
  readonly awayMs: number;
  /** The log goes on without a gap or a repeat. Else a snapshot replaced it: `pollSnapshot`. */
  readonly resumed: boolean;
  /**
   * Where the log goes on is before where it had come to. Forget what was polled of what is undone: events with the
   * same numbers come again, and they are other events. Objects that a session spawned in what is undone are gone.
   */
  readonly undone: Undone | undefined;
}

/**
 * The open encounters in place of the events that led to them: forget what is in contact, and begin with these. Events
 * up to `lastSequenceNumber` are history, even those that are polled later.
 */
export interface EncounterSnapshot {
  /** They are open after this tick. */
  readonly tick: Tick;
  readonly lastSequenceNumber: number;
  readonly openEncounters: readonly Encounter[];
}

/** Events that the server dropped (WhenFull.Gap). Both inclusive; some may not have passed the filter. */
export interface EventGap {
  readonly first: number;
  readonly last: number;
}

/** What goes on being in contact (EventFilter.stayEveryTicks): entered before `tick`, open after it. */
export interface Stays {
  readonly tick: Tick;
  readonly encounters: readonly Encounter[];
}
