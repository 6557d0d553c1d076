// SPDX-License-Identifier: MIT
//
// The nouns of a match. Ticks and sequence numbers are exact up to 2^53: at 240 Hz, a million years.
import type { ClaimCounts } from "./claims.js";
import type { Box, Part, Vec2 } from "./shapes.js";

/** Unique within a match; 0 names none. */
export type ObjectId = number;
/** Ticks count from 1. */
export type Tick = number;
/** Names a participant within its match. */
export type ParticipantNumber = number;

export const SessionState = {
  /** On its way; nothing can be spawned yet. */
  Connecting: "CONNECTING",
  Joined: "JOINED",
  /** The stream broke, and the SDK is bringing it back: see ReconnectOptions. */
  Reconnecting: "RECONNECTING",
  /** The match is over; the last events can still be polled. */
  Ended: "ENDED",
  /** `error` says why; what was received before can still be polled. */
  Failed: "FAILED",
  /** `leave` was called. */
  Left: "LEFT",
} as const;
export type SessionState = (typeof SessionState)[keyof typeof SessionState];

/** What a participant is in a match. */
export const Role = { Player: "PLAYER", Stage: "STAGE", Observer: "OBSERVER" } as const;
export type Role = (typeof Role)[keyof typeof Role];

export const EventKind = { Enter: "ENTER", Exit: "EXIT" } as const;
export type EventKind = (typeof EventKind)[keyof typeof EventKind];

export const ExitReason = {
  /** Of an ENTER; of an EXIT, a reason of a newer server. */
  None: "",
  Moved: "MOVED",
  Despawned: "DESPAWNED",
  Expired: "EXPIRED",
  LeftPlayfield: "LEFT_PLAYFIELD",
  LayerChanged: "LAYER_CHANGED",
  Disabled: "DISABLED",
  Reshaped: "RESHAPED",
  OwnerLeft: "OWNER_LEFT",
  MatchEnded: "MATCH_ENDED",
  /** The contact began and ended within this one tick: a continuous object passed through. */
  Swept: "SWEPT",
  /** One of the two was single-use, and is used up. */
  Consumed: "CONSUMED",
  /** One of the two lost its last hit point: see Destruction. */
  Destroyed: "DESTROYED",
} as const;
export type ExitReason = (typeof ExitReason)[keyof typeof ExitReason];

export const MatchState = {
  Waiting: "WAITING",
  Running: "RUNNING",
  Paused: "PAUSED",
  Ended: "ENDED",
} as const;
export type MatchState = (typeof MatchState)[keyof typeof MatchState];

/** Why a match ended. From OverlappingPairs on, but for StartTimeout, as it exceeded a budget. */
export const EndReason = {
  None: "NONE",
  Requested: "REQUESTED",
  Idle: "IDLE",
  OverlappingPairs: "OVERLAPPING_PAIRS",
  Tests: "TESTS",
  Events: "EVENTS",
  CpuTime: "CPU_TIME",
  StartTimeout: "START_TIMEOUT",
} as const;
export type EndReason = (typeof EndReason)[keyof typeof EndReason];

/**
 * Movement by the server, so that a straight bullet costs one spawn and no updates. Once a tick, the tick of the
 * spawn included: velocity += acceleration, then position += velocity.
 */
export interface Motion {
  /** Units per tick. */
  readonly velocity?: Vec2;
  /** Units per tick per tick. */
  readonly acceleration?: Vec2;
}

export interface ObjectSpec {
  /** Default: (0, 0). */
  readonly position?: Vec2;
  /** 1 to 32; none with a template. */
  readonly parts?: readonly Part[];
  readonly motion?: Motion | undefined;
  /** 0: no limit. */
  readonly timeToLiveTicks?: number;
  /**
   * Gone, without a rejection, in the first tick after whose moves the boxes around its parts are all outside the
   * playfield, be it the tick of its spawn.
   */
  readonly despawnOutsidePlayfield?: boolean;
  /** Its way within each tick, a straight line, is swept: it meets what it passes, however fast. */
  readonly continuous?: boolean;
  /** The first contact that it enters, of those that are no sensors, uses it up. */
  readonly singleUse?: boolean;
  /** When contact has taken them all it is gone (Destroyed). 0: takes none. */
  readonly hitPoints?: number;
  /** How many a contact takes from the other. */
  readonly damage?: number;
  /** 0: the SDK takes the next free id of the session's block. */
  readonly id?: ObjectId;
  /**
   * A template by its place in MatchInfo.config.templates, from 1 on; 0: none. With one, position, motion and time
   * to live are all that may be given beside it.
   */
  readonly templateNumber?: number;
}

/**
 * Every object with a part on one of `layers` that touches `region`, of those that the session may clear: its own,
 * and others' where that part is on a clearable layer. Disabled objects are nowhere.
 */
export interface Selection {
  /** Empty: all. */
  readonly layers?: readonly number[];
  /** Absent: everywhere. */
  readonly region?: Box;
}

/** `Event.timeOfImpact` of what is judged at the end of its tick, as most contacts are. */
export const END_OF_TICK = 256;

/** Something entered contact or left it. */
export interface Event {
  /** From 1, without gaps but those of filters. */
  readonly sequenceNumber: number;
  readonly tick: Tick;
  readonly kind: EventKind;
  readonly reason: ExitReason;
  /** The smaller id. */
  readonly objectA: ObjectId;
  /** The larger id. */
  readonly objectB: ObjectId;
  readonly layerA: number;
  readonly layerB: number;
  readonly partA: number;
  readonly partB: number;
  /** When within the tick contact began, in 1/256 tick after its beginning, rounded up. */
  readonly timeOfImpact: number;
}

/** An open encounter. */
export interface Encounter {
  readonly objectA: ObjectId;
  readonly objectB: ObjectId;
  readonly layerA: number;
  readonly layerB: number;
  readonly partA: number;
  readonly partB: number;
  readonly sinceTick: Tick;
}

/** A rule of a match's config, and what broke it. */
export interface BrokenRule {
  /** Path within the config: "templates[1].spawn.alive_max". */
  readonly rule: string;
  /** Empty: it is a rule of no template. */
  readonly templateName: string;
  /** What was found, and the limit; both 0 where it is no matter of numbers. */
  readonly found: bigint;
  readonly limit: bigint;
}

/** A change, or a whole frame, that the server refused. It changed nothing. */
export interface Rejection {
  readonly tick: Tick;
  readonly frameTick: Tick;
  /** "NOT_OWNER", "INVERTED_BOX", … */
  readonly reason: string;
  /** "spawns[2].parts[0].box.min_x" */
  readonly field: string;
  /** 0: the whole frame. */
  readonly object: ObjectId;
  /** What was found, and the limit. */
  readonly message: string;
  /** Whose frame it was, on a shared stream; else undefined. */
  readonly participant: ParticipantNumber | undefined;
  /** Of the match's config, where it breaks one. */
  readonly brokenRule: BrokenRule | undefined;
}

/** A participant's score. */
export interface Score {
  readonly participant: ParticipantNumber;
  readonly name: string;
  readonly score: number;
  /** Its number may be another participant's by now. */
  readonly hasLeft: boolean;
}

/** An object that lost its last hit point. It is gone; its encounters ended with Destroyed. */
export interface Destruction {
  readonly object: ObjectId;
  /** Whose damage it was. */
  readonly byObject: ObjectId;
  /** Whose object was destroyed, */
  readonly owner: ParticipantNumber;
  /** and whose the other is. */
  readonly byOwner: ParticipantNumber;
  /** Of the contact in which it happened: the destroyed object's, */
  readonly layer: number;
  /** and the other's. */
  readonly byLayer: number;
  readonly tick: Tick;
}

/** Objects that have another owner now, or a stage that another participant acts as, or both. */
export interface OwnerChange {
  /** May have left. */
  readonly from: ParticipantNumber;
  readonly to: ParticipantNumber;
  /** `to` acts as the stage from now on. */
  readonly withStage: boolean;
  readonly objects: readonly ObjectId[];
  readonly tick: Tick;
}

/** A tick of a LOCKSTEP match that ran by its deadline, and because of whom. */
export interface LateReport {
  readonly tick: Tick;
  /** Their numbers, ascending. */
  readonly participants: readonly ParticipantNumber[];
}

/** A match's clock as it is now. */
export interface ClockState {
  readonly paused: boolean;
  readonly tickRateHz: number;
}

export interface Participant {
  readonly number: ParticipantNumber;
  readonly name: string;
  readonly role: Role;
  /** Its block of object ids; 0 of an observer. */
  readonly firstId: ObjectId;
  readonly lastId: ObjectId;
  readonly objects: number;
  readonly rejections: number;
  readonly lateFrames: number;
  /** How far it lags, as the server measures it; 0: not measured yet. */
  readonly delayMs: number;
  /** What the claims of its frames came to. */
  readonly claims: ClaimCounts;
  /** Its role is Stage, or the stage was handed over to it. */
  readonly actsAsStage: boolean;
  /** Its connection broke; its seat is kept for a while. */
  readonly isAway: boolean;
}

/** Of a match's config, what those who play and watch it go by. */
export interface MatchConfig {
  /** For people. */
  readonly name: string;
  readonly layers: readonly string[];
  readonly clearableLayers: readonly string[];
  /** The names of its templates. */
  readonly templates: readonly string[];
  readonly maskCount: number;
  /** Absent: the whole range of coordinates. */
  readonly playfield: Box | undefined;
  readonly maxLeadTicks: number;
  readonly heartbeatTicks: number;
  readonly reconnectTicks: number;
  /** For patterns that clients compute. */
  readonly seed: bigint;
}

export interface MatchInfo {
  readonly matchId: string;
  readonly config: MatchConfig;
  readonly state: MatchState;
  readonly tick: Tick;
  readonly digest: bigint;
  readonly events: number;
  readonly objects: number;
  readonly openEncounters: number;
  readonly participants: readonly Participant[];
  readonly scores: readonly Score[];
  /** How far the playfield has scrolled from where the config has it. */
  readonly playfieldOrigin: Vec2;
  readonly clock: ClockState;
  readonly durableTick: Tick;
  readonly endReason: EndReason;
  /** Under which the server has approved its rules; empty: unranked. */
  readonly rulesName: string;
}
