// SPDX-License-Identifier: MIT
//
// Protects changes on their way to the wire: every kind arrives as the game gave it, in the bytes of the contract, and what
// no server would take is an error that names the field and leaves the frame as it was.
import { toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { FrameSchema } from "../../src/generated/sweepd/v1/types_pb.js";
import { centeredBox, ErrorCode, Part, type ObjectSpec } from "../../src/index.js";
import { FrameBuilder } from "../../src/internal/frame_builder.js";
import { encodedByProtoc } from "../support/protoc.js";

const box = centeredBox(2, 2);
const origin = { x: 0, y: 0 };

function builder(): FrameBuilder {
  return new FrameBuilder({ layerCount: 3, maskCount: 2 });
}

const EVERYTHING = `
tick: 9 acknowledged_tick: 8
spawns {
  object_id: 5 x: 256 y: 512
  parts { box { min_x: -256 min_y: -256 max_x: 256 max_y: 256 } }
  motion { velocity_x: 256 velocity_y: 512 acceleration_x: 128 acceleration_y: -128 }
  time_to_live_ticks: 60 despawn_outside_playfield: true continuous: true single_use: true hit_points: 3 damage: 2
}
spawns { object_id: 6 template_number: 2 motion {} }
reshapes {
  object_id: 5
  parts { circle { center_x: 256 center_y: 512 radius: 896 } layer: 2 }
  parts { capsule { a_x: -1 b_x: 256 b_y: 256 radius: 0 } layer: 1 }
  parts { mask { mask: 1 x: 256 y: -256 } }
}
layer_changes { object_id: 5 part: 0 layer: 1 }
layer_changes { object_id: 5 layer: 2 }
absolute_moves { object_id: 4 object_id: 5 x: 0 x: 768 y: 0 y: 1024 }
motions { object_id: 5 motion {} }
disables { object_id: 5 until_tick: 77 }
disables { object_id: 6 }
enables: 5 enables: 6
despawns: 5
claims { claim_number: 1 shot_id: 5 target_id: 70 tick_seen: 8 tolerance: 384 shot_part: 0 target_part: 3 }
claims { claim_number: 2 shot_id: 5 target_id: 71 }
mass_despawns { layers: 0 layers: 2 region { min_x: 0 min_y: 0 max_x: 256 max_y: 256 } }
scroll { x: 256 y: 0 }
transfers { object_ids: 5 object_ids: 6 to_participant: 3 with_stage: true }
teleports { object_id: 5 x: 2560 y: 2560 }
freezes {}
releases { layers: 1 }
`;

test("every kind of change is in the frame once, in the bytes of the contract's own encoder", () => {
  const frame = builder();
  const spec: ObjectSpec = {
    ...{ position: { x: 1, y: 2 }, parts: [Part.box(box, 0)], timeToLiveTicks: 60, hitPoints: 3, damage: 2 },
    ...{ despawnOutsidePlayfield: true, continuous: true, singleUse: true },
    motion: { velocity: { x: 1, y: 2 }, acceleration: { x: 0.5, y: -0.5 } },
  };
  const shapes = [
    Part.circle({ x: 1, y: 2 }, 3.5, 2),
    Part.capsule({ x: -1 / 256, y: 0 }, { x: 1, y: 1 }, 0, 1),
    Part.mask(1, { x: 1, y: -1 }, 0),
  ];
  const faults = [
    frame.spawn(5, spec),
    frame.spawn(6, { templateNumber: 2, motion: {} }),
    frame.reshape(5, shapes),
    frame.changeLayer(5, 1, 0),
    frame.changeLayer(5, 2, undefined),
    frame.move(5, { x: 3, y: 4 }),
    frame.move(4, origin),
    frame.setMotion(5, {}),
    frame.disable(5, 77),
    frame.disable(6, 0),
    frame.enable(5),
    frame.enable(6),
    frame.despawn(5),
    frame.claim(1, { shot: 5, target: 70, tickSeen: 8, tolerance: 1.5, shotPart: 0, targetPart: 3 }),
    frame.claim(2, { shot: 5, target: 71, tickSeen: 0 }),
    frame.despawnAll({ layers: [0, 2], region: { minX: 0, minY: 0, maxX: 1, maxY: 1 } }),
    frame.scrollTo({ x: 1, y: 0 }),
    frame.transfer([5, 6], 3, true),
    frame.teleport(5, { x: 10, y: 10 }),
    frame.freeze({}),
    frame.release({ layers: [1] }),
  ];
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  expect(toBinary(FrameSchema, frame.finish(9, 8))).toEqual(encodedByProtoc("sweepd.v1.Frame", EVERYTHING));
  expect(toBinary(FrameSchema, frame.finish(0, 0))).toHaveLength(0);
});

test("a bad change names its field and leaves the frame as it was", () => {
  const frame = builder();
  const parts = [Part.box(box, 0)];
  const bad = [
    [frame.spawn(1, { parts: [Part.box(box, 3)] }), ErrorCode.OutOfRange, "parts[0].layer"],
    [frame.spawn(1, { parts, position: { x: NaN, y: 0 } }), ErrorCode.NotANumber, "position.x"],
    [frame.spawn(1, {}), ErrorCode.InvalidArgument, "parts"],
    [frame.spawn(1, { parts, hitPoints: -1 }), ErrorCode.OutOfRange, "hitPoints"],
    [frame.spawn(1, { parts, timeToLiveTicks: 1.5 }), ErrorCode.OutOfRange, "timeToLiveTicks"],
    [frame.spawn(1, { parts, motion: { velocity: { x: 0, y: 1e9 } } }), ErrorCode.OutOfRange, "motion.velocity.y"],
    [
      frame.reshape(1, [...parts, Part.box({ ...box, minX: 2 }, 0)]),
      ...([ErrorCode.InvalidArgument, "parts[1].shape.minX"] as const),
    ],
    [frame.reshape(1, [Part.circle(origin, -1, 0)]), ErrorCode.InvalidArgument, "parts[0].shape.radius"],
    [frame.reshape(1, [Part.circle({ x: 8_388_000, y: 0 }, 1_000, 0)]), ErrorCode.OutOfRange, "parts[0].shape.center.x"],
    [frame.reshape(1, [Part.mask(2, origin, 0)]), ErrorCode.OutOfRange, "parts[0].shape.mask"],
    [frame.reshape(1, Array<Part>(33).fill(Part.box(box, 0))), ErrorCode.InvalidArgument, "parts"],
    [frame.changeLayer(1, 3, undefined), ErrorCode.OutOfRange, "layer"],
    [frame.changeLayer(1, 0, -1), ErrorCode.OutOfRange, "part"],
    [frame.move(1, { x: 0, y: 1e9 }), ErrorCode.OutOfRange, "position.y"],
    [frame.teleport(1, { x: Infinity, y: 0 }), ErrorCode.NotANumber, "position.x"],
    [frame.setMotion(1, { velocity: { x: 0, y: NaN } }), ErrorCode.NotANumber, "motion.velocity.y"],
    [frame.disable(1, 2 ** 60), ErrorCode.OutOfRange, "untilTick"],
    [frame.freeze({ layers: [0, 3] }), ErrorCode.OutOfRange, "selection.layers[1]"],
    [frame.release({ region: { ...box, maxY: -9 } }), ErrorCode.InvalidArgument, "selection.region.minY"],
    [frame.transfer([1, -1], 0, false), ErrorCode.OutOfRange, "ids[1]"],
    [frame.scrollTo({ x: 0, y: -1e8 }), ErrorCode.OutOfRange, "origin.y"],
    [frame.claim(1, { shot: 1, target: 2, tickSeen: -1 }), ErrorCode.OutOfRange, "tickSeen"],
    [frame.claim(1, { shot: 1, target: 2, tickSeen: 1, tolerance: -1 }), ErrorCode.InvalidArgument, "tolerance"],
  ] as const;
  for (const [fault, code, field] of bad) expect(fault).toMatchObject({ code, field });
  expect(toBinary(FrameSchema, frame.finish(0, 0))).toHaveLength(0);
});
