// SPDX-License-Identifier: MIT
//
// Protects what sessions are made of: an id in use is never handed out, reports are bounded, pauses double, and floating
// point becomes the server's integers in one way.
import { expect, test } from "vitest";
import { isError } from "../../src/internal/field_error.js";
import { ObjectIds } from "../../src/internal/object_ids.js";
import { Queue, Recent } from "../../src/internal/queue.js";
import { ReconnectPauses } from "../../src/internal/reconnect_pauses.js";
import { toSubunits } from "../../src/internal/subunits.js";

test("ids come in order, and again when the block is used up and they are free", () => {
  const ids = new ObjectIds(10, 12);
  for (const id of [10, 11, 12]) {
    expect(ids.nextFree()).toBe(id);
    ids.spawned(id, id === 12);
  }
  expect(ids.nextFree()).toBe(0);
  ids.frameSent();
  expect(ids.nextFree()).toBe(12);
  ids.despawned(10);
  expect(ids.isInUse(10)).toBe(true);
  ids.frameSent();
  expect(ids.isInUse(10)).toBe(false);
  ids.givenAway(11);
  expect(ids.isInUse(11)).toBe(false);
  expect(ids.contains(13)).toBe(false);
});

test("an observer's block is empty", () => {
  const ids = new ObjectIds(0, 0);
  expect(ids.isEmpty).toBe(true);
  expect(ids.nextFree()).toBe(0);
  expect(ids.contains(0)).toBe(false);
});

test("a queue gives in order what it took, and its size", () => {
  const queue = new Queue<number>();
  for (let round = 0; round < 3; ++round) for (let value = 0; value < 10; ++value) queue.put(value);
  queue.remove((value) => value % 2 === 1);
  expect(queue.size).toBe(15);
  expect(queue.take()).toBe(0);
  expect(queue.take()).toBe(2);
  for (let left = queue.size; left > 0; --left) expect(queue.take()).toBeTypeOf("number");
  expect(queue.take()).toBeUndefined();
  expect(queue.size).toBe(0);
  queue.put(7);
  expect(queue.take()).toBe(7);
});

test("of reports that are not polled the oldest go", () => {
  const reports = new Recent<number>();
  for (let report = 0; report < Recent.REPORTS_MAX + 5; ++report) reports.put(report);
  expect(reports.size).toBe(Recent.REPORTS_MAX);
  expect(reports.take()).toBe(5);
});

test("pauses double up to the longest, and are shortened by up to half", () => {
  const longest = new ReconnectPauses(50, 300, () => 0);
  expect([1, 2, 3, 4, 5].map(() => longest.nextMs())).toEqual([50, 100, 200, 300, 300]);
  longest.restart();
  expect(longest.nextMs()).toBe(50);
  const shortest = new ReconnectPauses(50, 300, () => 1);
  expect([1, 2, 3].map(() => shortest.nextMs())).toEqual([25, 50, 100]);
});

test("units are rounded half away from zero", () => {
  const rounded = [
    [0.5, 1],
    [-0.5, -1],
    [1.5, 2],
    [-1.5, -2],
    [0.49, 0],
    [-0.49, 0],
    [2147483647, 2147483647],
    [-2147483648, -2147483648],
  ] as const;
  for (const [subunits, expected] of rounded) expect(toSubunits(subunits / 256, "x")).toBe(expected);
  for (const units of [8388608, -8388609, NaN, Infinity, undefined as unknown as number])
    expect(isError(toSubunits(units, "x"))).toBe(true);
});
