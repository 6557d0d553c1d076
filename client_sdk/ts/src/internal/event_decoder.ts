// SPDX-License-Identifier: MIT
import { ExitReason as WireExitReason } from "../generated/sweepd/v1/exit_reason_pb.js";
import { RejectionReason, type Rejection as WireRejection } from "../generated/sweepd/v1/rejection_pb.js";
import type { Encounter as WireEncounter } from "../generated/sweepd/v1/encounter_pb.js";
import type { EventColumns, TickUpdate } from "../generated/sweepd/v1/types_pb.js";
import { ErrorCode, failure, Status, success, type Result } from "../status.js";
import { END_OF_TICK, EventKind, ExitReason, type Encounter, type Event, type Rejection } from "../types.js";
import { nameIn } from "./wire_names.js";

const REASONS = new Map<number, ExitReason>(
  Object.entries(WireExitReason).flatMap(([name, number]) => {
    const reason = nameIn(ExitReason, name);
    return typeof number === "number" && reason ? [[number, reason] as const] : [];
  }),
);

/** The type of an enumeration does not say that a newer server may know more. */
const REJECTION_NAMES: Readonly<Record<number, string | undefined>> = RejectionReason;

function columnsAreEqual(columns: EventColumns): boolean {
  const rows = columns.objectA.length;
  const full = [columns.objectB, columns.layerA, columns.layerB];
  const optional = [
    columns.tickDelta,
    columns.reason,
    columns.partA,
    columns.partB,
    columns.timeOfImpact,
    columns.sequenceGap,
  ];
  return (
    full.every((column) => column.length === rows) &&
    optional.every((column) => column.length === 0 || column.length === rows)
  );
}

/** How many events of the log there are from the first row on, up to that of the update. */
function numbersFromFirstRowOn(columns: EventColumns): bigint {
  return columns.sequenceGap.reduce((sum, gap) => sum + gap, BigInt(columns.objectA.length) + columns.eventsAfter);
}

function firstTickOf(update: TickUpdate, columns: EventColumns): bigint {
  return columns.firstTick !== 0n ? columns.firstTick : update.tick;
}

/** The tick of the last row. */
function lastTickOf(update: TickUpdate, columns: EventColumns): bigint {
  return firstTickOf(update, columns) + BigInt(columns.tickDelta.reduce((sum, delta) => sum + delta, 0));
}

function malformed(what: string): Result<never> {
  return failure(new Status(ErrorCode.Internal, `the server sent events ${what}`));
}

/** The update's events; Internal if they make no sense. */
export function decodeEvents(update: TickUpdate): Result<Event[]> {
  const columns = update.events;
  if (!columns) return success([]);
  if (!columnsAreEqual(columns)) return malformed("in columns of unequal length");
  const numbers = numbersFromFirstRowOn(columns);
  if (update.lastSequenceNumber < numbers || update.lastSequenceNumber > Number.MAX_SAFE_INTEGER)
    return malformed("without numbers");
  const hasRows = columns.objectA.length > 0;
  if (hasRows && lastTickOf(update, columns) > update.tick) return malformed("of ticks that have not run");
  return success(
    rowsOf(columns, {
      tick: Number(firstTickOf(update, columns)),
      sequenceNumber: Number(update.lastSequenceNumber - numbers + 1n),
    }),
  );
}

function rowsOf(columns: EventColumns, first: { tick: number; sequenceNumber: number }): Event[] {
  let { tick, sequenceNumber } = first;
  return columns.objectA.map((objectA, row) => {
    tick += columns.tickDelta[row] ?? 0;
    sequenceNumber += Number(columns.sequenceGap[row] ?? 0n);
    const reason = columns.reason[row] ?? WireExitReason.UNSPECIFIED;
    return {
      sequenceNumber: sequenceNumber++,
      tick,
      kind: reason === WireExitReason.UNSPECIFIED ? EventKind.Enter : EventKind.Exit,
      reason: REASONS.get(reason) ?? ExitReason.None,
      objectA,
      objectB: columns.objectB[row] ?? 0,
      layerA: columns.layerA[row] ?? 0,
      layerB: columns.layerB[row] ?? 0,
      partA: columns.partA[row] ?? 0,
      partB: columns.partB[row] ?? 0,
      timeOfImpact: columns.timeOfImpact[row] ?? END_OF_TICK,
    };
  });
}

/** "TOO_FAST", or its number where a newer server knows it and this SDK does not. */
export function reasonName(reason: RejectionReason): string {
  return REJECTION_NAMES[reason] ?? `REASON_${reason}`;
}

export function decodeRejection(rejection: WireRejection): Rejection {
  const broken = rejection.brokenRule;
  return {
    tick: Number(rejection.tick),
    frameTick: Number(rejection.frameTick),
    reason: reasonName(rejection.reason),
    field: rejection.field,
    object: rejection.objectId,
    message: rejection.message,
    participant: rejection.participant,
    brokenRule: broken && {
      rule: broken.rule,
      templateName: broken.templateName,
      found: broken.found,
      limit: broken.limit,
    },
  };
}

export function decodeEncounter(encounter: WireEncounter): Encounter {
  return {
    objectA: encounter.objectA,
    objectB: encounter.objectB,
    layerA: encounter.layerA,
    layerB: encounter.layerB,
    partA: encounter.partA,
    partB: encounter.partB,
    sinceTick: Number(encounter.sinceTick),
  };
}
