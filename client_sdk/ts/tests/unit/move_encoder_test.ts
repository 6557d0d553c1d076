// SPDX-License-Identifier: MIT
//
// Protects the columns of moves: they are the bytes that every SDK has to write by the contract's rules, and a reader that
// follows these arrives at the positions that the game asked for.
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { FramesSchema } from "../../src/generated/sweepd/v1/match_service_pb.js";
import type { Frame } from "../../src/generated/sweepd/v1/types_pb.js";
import { centeredBox, Part } from "../../src/index.js";
import { FrameBuilder } from "../../src/internal/frame_builder.js";
import { MoveEncoder } from "../../src/internal/move_encoder.js";
import { encodedByProtoc } from "../support/protoc.js";
import { Random } from "../support/random.js";
import { ReferenceReader } from "../support/reference_reader.js";

/** What a game's frames become on a stream. */
class Stream extends FrameBuilder {
  readonly encoder = new MoveEncoder();

  constructor() {
    super({ layerCount: 4, maskCount: 1 });
  }

  end(tick = 0, acknowledgedTick = 0): Frame {
    const frame = this.finish(tick, acknowledgedTick);
    this.encoder.encode(frame);
    return frame;
  }
}

function specAt(x: number, y: number) {
  return { position: { x, y }, parts: [Part.box(centeredBox(2, 2), 0)] };
}

type Step = readonly [make: (stream: Stream) => unknown, frame: string];

const SPAWN_PARTS = "parts { box { min_x: -256 min_y: -256 max_x: 256 max_y: 256 } }";

/** What the contract makes of each frame of a stream, in its own words. */
const STEPS: readonly Step[] = [
  // A move without a base is absolute, one against a spawn of the same frame is not.
  [
    (s) => [s.spawn(7, specAt(10, 20)), s.move(7, { x: 11, y: 18 }), s.move(9, { x: -1, y: 0.5 })],
    `spawns { object_id: 7 x: 2560 y: 5120 ${SPAWN_PARTS} }
     moves { id_delta: 7 dx: 256 dy: -512 } absolute_moves { object_id: 9 x: -256 y: 128 }`,
  ],
  // By id, whatever the order; ids are differences. What has no step yet goes against a course of none.
  [
    (s) => [s.move(9, { x: 0, y: 0.5 }), s.move(7, { x: 12, y: 16 })],
    "moves { id_delta: 7 id_delta: 2 dx: 0 dx: 256 dy: 0 dy: 0 is_against_course: true }",
  ],
  // Straight on: against the course, two zeros each.
  [
    (s) => [s.move(7, { x: 13, y: 14 }), s.move(9, { x: 1, y: 0.5 })],
    "moves { id_delta: 7 id_delta: 2 dx: 0 dx: 0 dy: 0 dy: 0 is_against_course: true }",
  ],
  // It stopped: its step is shorter than what it is off its course.
  [(s) => s.move(9, { x: 1, y: 0.5 }), "moves { id_delta: 9 dx: 0 dy: 0 }"],
  // The last of several moves counts, and is rounded half away from zero.
  [
    (s) => [s.move(9, { x: 50, y: 50 }), s.move(9, { x: 1 + 1.5 / 256, y: 0.5 - 1.5 / 256 })],
    "moves { id_delta: 9 dx: 2 dy: -1 }",
  ],
  // A teleport is a base without a step; a despawn ends one.
  [(s) => [s.teleport(7, { x: 100, y: 0 }), s.despawn(9)], "despawns: 9 teleports { object_id: 7 x: 25600 y: 0 }"],
  [
    (s) => [s.move(7, { x: 101, y: 0 }), s.move(9, { x: 0, y: 0 })],
    "moves { id_delta: 7 dx: 256 dy: 0 } absolute_moves { object_id: 9 x: 0 y: 0 }",
  ],
  // Too far for a column.
  [(s) => s.move(7, { x: -8_388_000, y: 0 }), "moves { id_delta: 7 dx: -2147353856 dy: 0 }"],
  [(s) => s.move(7, { x: 8_388_000, y: 0 }), "absolute_moves { object_id: 7 x: 2147328000 y: 0 }"],
  // A step that does not fit against the course leaves the frame as it is.
  [(s) => s.move(7, { x: -100, y: 0 }), "moves { id_delta: 7 dx: -2147353600 dy: 0 }"],
  [(s) => s.move(7, { x: 8_000_000, y: 0 }), "moves { id_delta: 7 dx: 2048025600 dy: 0 }"],
  [() => undefined, ""],
];

test("every frame of a stream is the bytes that the contract's own encoder writes", () => {
  const stream = new Stream();
  const frames = STEPS.map(([make]) => {
    make(stream);
    return stream.end();
  });
  const text = STEPS.map(([, frame]) => `frames { ${frame} }`).join("\n");
  const expected = encodedByProtoc("sweepd.v1.Frames", text);
  expect(toBinary(FramesSchema, create(FramesSchema, { frames }))).toEqual(expected);
});

test("what has not been placed for 64 frames is written absolute", () => {
  for (const between of [MoveEncoder.FRAMES_MAX - 1, MoveEncoder.FRAMES_MAX]) {
    const stream = new Stream();
    stream.spawn(7, specAt(100, 100));
    for (let count = 0; count <= between; ++count) stream.end();
    stream.move(7, { x: 101, y: 100 });
    expect(stream.end().absoluteMoves !== undefined).toBe(between === MoveEncoder.FRAMES_MAX);
  }
});

test("what is not placed any more is forgotten, also without a despawn", () => {
  const stream = new Stream();
  for (let id = 1; id <= 1_000; ++id) {
    stream.spawn(id, specAt(0, 0));
    stream.end();
  }
  expect(stream.encoder.size).toBeLessThanOrEqual(2 * MoveEncoder.FRAMES_MAX);
});

test("a new stream begins without bases", () => {
  const stream = new Stream();
  stream.move(7, { x: 1, y: 1 });
  stream.end();
  stream.encoder.reset();
  stream.move(7, { x: 2, y: 1 });
  expect(stream.end().absoluteMoves?.x).toEqual([512]);
});

test("what flies straight costs three bytes a move", () => {
  const stream = new Stream();
  for (let id = 1; id <= 100; ++id) stream.spawn(id, specAt(0, 0));
  stream.end();
  for (let tick = 1; tick <= 3; ++tick) {
    for (let id = 1; id <= 100; ++id) stream.move(id, { x: 3.5 * tick, y: -id * tick });
    const frame = stream.end();
    expect(frame.moves?.isAgainstCourse).toBe(tick > 1);
    const bytes = toBinary(FramesSchema, create(FramesSchema, { frames: [frame] })).length;
    expect(bytes).toBeLessThanOrEqual(tick > 1 ? 3 * 100 + 16 : 6 * 100);
  }
});

type Places = Map<number, { x: number; y: number }>;

function inOrder(places: Places): string {
  return JSON.stringify([...places].sort(([a], [b]) => a - b));
}

test("a reader of the contract arrives where the game wanted to be", () => {
  const random = new Random(20260101);
  const stream = new Stream();
  const reader = new ReferenceReader();
  const last: Places = new Map();
  const framesOfMode = { byStep: 0, againstCourse: 0 };
  for (let round = 0; round < 1_000; ++round) {
    const isSmooth = Math.floor(round / 100) % 2 === 0; // Or everything jumps about.
    const wanted: Places = new Map();
    for (let change = 0; change < 8; ++change) {
      const id = 1 + random.below(20);
      const kind = random.below(isSmooth ? 200 : 8);
      const from = last.get(id) ?? { x: 0, y: 0 };
      let to = { x: random.int32(), y: random.int32() };
      if (kind === 0) stream.spawn(id, specAt(to.x / 256, to.y / 256));
      else if (kind === 1) stream.despawn(id);
      else {
        if (isSmooth) to = { x: (from.x % 1_000_000) + 300 + id, y: (from.y % 1_000_000) - 500 };
        stream.move(id, { x: to.x / 256, y: to.y / 256 });
        last.set(id, to);
        wanted.set(id, to);
      }
    }
    const frame = stream.end();
    ++framesOfMode[frame.moves?.isAgainstCourse ? "againstCourse" : "byStep"];
    expect(inOrder(reader.read(frame))).toBe(inOrder(wanted));
  }
  expect(framesOfMode.byStep).toBeGreaterThan(100);
  expect(framesOfMode.againstCourse).toBeGreaterThan(100);
});
