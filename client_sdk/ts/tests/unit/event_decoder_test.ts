// SPDX-License-Identifier: MIT
//
// Protects the way from columns to events: numbers and ticks count on from the first row, and columns that make no sense
// are an error instead of half a log.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ExitReason as WireExitReason } from "../../src/generated/sweepd/v1/exit_reason_pb.js";
import { RejectionReason, RejectionSchema } from "../../src/generated/sweepd/v1/rejection_pb.js";
import { TickUpdateSchema, EventColumnsSchema } from "../../src/generated/sweepd/v1/types_pb.js";
import { END_OF_TICK, ErrorCode, EventKind, ExitReason } from "../../src/index.js";
import { decodeEvents, decodeRejection } from "../../src/internal/event_decoder.js";

/** A number that no reason of the contract has. */
const OF_A_NEWER_SERVER = 1_000;

const ENTER = WireExitReason.UNSPECIFIED;

type Columns = MessageInitShape<typeof EventColumnsSchema>;

/** Of an update whose last number is 90. */
const THREE_ROWS: Columns = {
  ...{ eventsAfter: 47n, firstTick: 1_000n, tickDelta: [0, 0, 3], reason: [ENTER, ENTER, WireExitReason.DISABLED] },
  ...{ objectA: [10, 11, 12], objectB: [20, 21, 22], layerA: [0, 1, 2], layerB: [1, 2, 3] },
  ...{ partA: [2, 3, 4], partB: [3, 4, 5] },
};

function decode(events: Columns, last = 90n) {
  return decodeEvents(create(TickUpdateSchema, { tick: 2_000n, lastSequenceNumber: last, events }));
}

describe("columns", () => {
  test("count numbers and ticks on from the first row", () => {
    const events = decode(THREE_ROWS).value ?? [];
    expect(events.map((event) => event.sequenceNumber)).toEqual([41, 42, 43]);
    expect(events.map((event) => event.tick)).toEqual([1_000, 1_000, 1_003]);
    expect(events[1]).toMatchObject({ kind: EventKind.Enter, reason: ExitReason.None });
    expect(events[2]).toEqual({
      ...{ sequenceNumber: 43, tick: 1_003, kind: EventKind.Exit, reason: ExitReason.Disabled },
      ...{ objectA: 12, objectB: 22, layerA: 2, layerB: 3, partA: 4, partB: 5, timeOfImpact: END_OF_TICK },
    });
  });

  test("that say nothing may be left out", () => {
    const events = decode({ objectA: [10, 11], objectB: [20, 20], layerA: [0, 0], layerB: [1, 1] }).value;
    expect(events?.map((event) => event.sequenceNumber)).toEqual([89, 90]);
    expect(events?.[1]).toMatchObject({ tick: 2_000, kind: EventKind.Enter, partB: 0, timeOfImpact: 256 });
  });

  test("give times of impact and gaps to their rows", () => {
    const events = decode({ ...THREE_ROWS, timeOfImpact: [256, 0, 17], sequenceGap: [0n, 2n, 0n] }).value;
    expect(events?.map((event) => event.timeOfImpact)).toEqual([256, 0, 17]);
    expect(events?.map((event) => event.sequenceNumber)).toEqual([39, 42, 43]);
  });

  test("without rows are no events", () => {
    expect(decode({})).toMatchObject({ ok: true, value: [] });
  });

  test("that make no sense are refused whole", () => {
    const senseless: [Columns, bigint?][] = [
      [{ ...THREE_ROWS, partB: [1, 2] }],
      [{ ...THREE_ROWS, objectB: [] }],
      [{ ...THREE_ROWS, timeOfImpact: [1] }],
      [THREE_ROWS, 2n],
      [{ ...THREE_ROWS, sequenceGap: [0n, 2n ** 64n - 1n, 2n ** 64n - 1n] }],
      [THREE_ROWS, 2n ** 64n - 1n],
      [{ ...THREE_ROWS, firstTick: 1_998n }],
      [{ ...THREE_ROWS, firstTick: 2_001n, tickDelta: [] }],
    ];
    for (const [columns, last] of senseless) expect(decode(columns, last).status.code).toBe(ErrorCode.Internal);
    expect(decode({ ...THREE_ROWS, firstTick: 1_997n }).ok).toBe(true);
  });

  test("name every reason of the contract, and a newer one as an EXIT", () => {
    for (const [name, reason] of Object.entries(WireExitReason)) {
      if (typeof reason !== "number") continue;
      const row = { objectA: [1], objectB: [2], layerA: [0], layerB: [0], reason: [reason] };
      expect(decode(row).value?.[0]?.reason).toBe(reason === WireExitReason.UNSPECIFIED ? "" : name);
    }
    const row = { objectA: [1], objectB: [2], layerA: [0], layerB: [0] };
    const newer = Object.assign(create(EventColumnsSchema, row), { reason: [OF_A_NEWER_SERVER] });
    expect(decode(newer).value?.[0]).toMatchObject({ kind: EventKind.Exit, reason: ExitReason.None });
  });
});

describe("a rejection", () => {
  test("carries the name of its reason, and of a newer one the number", () => {
    const rejection = create(RejectionSchema, {
      ...{ tick: 5n, frameTick: 4n, reason: RejectionReason.NOT_OWNER, field: "moves[0]", objectId: 7 },
      brokenRule: { rule: "limits[0].objects_max", limit: 2n ** 64n - 1n },
    });
    expect(decodeRejection(rejection)).toEqual({
      ...{ tick: 5, frameTick: 4, reason: "NOT_OWNER", field: "moves[0]", object: 7, message: "" },
      participant: undefined,
      brokenRule: { rule: "limits[0].objects_max", templateName: "", found: 0n, limit: 2n ** 64n - 1n },
    });
    const newer = Object.assign(rejection, { reason: OF_A_NEWER_SERVER });
    expect(decodeRejection(newer).reason).toBe("REASON_1000");
  });
});
