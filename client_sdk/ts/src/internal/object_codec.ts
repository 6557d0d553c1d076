// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import { SelectionSchema, type Selection as WireSelection } from "../generated/sweepd/v1/outcome_pb.js";
import { MotionSchema, SpawnSchema, type Motion as WireMotion, type Spawn } from "../generated/sweepd/v1/types_pb.js";
import type { Motion, ObjectSpec, Selection } from "../types.js";
import { checkUint32, firstOf, isError, type Checked } from "./field_error.js";
import { checkLayer, encodeBox, encodeParts, type MatchLimits } from "./shape_codec.js";
import { toPoint } from "./subunits.js";

const ORIGIN = { x: 0, y: 0 };

export function encodeMotion(motion: Motion): Checked<WireMotion> {
  const velocity = toPoint(motion.velocity ?? ORIGIN, "motion.velocity");
  if (isError(velocity)) return velocity;
  const acceleration = toPoint(motion.acceleration ?? ORIGIN, "motion.acceleration");
  if (isError(acceleration)) return acceleration;
  return create(MotionSchema, {
    velocityX: velocity.x,
    velocityY: velocity.y,
    accelerationX: acceleration.x,
    accelerationY: acceleration.y,
  });
}

/** All but the id. */
export function encodeSpec(spec: ObjectSpec, limits: MatchLimits): Checked<Spawn> {
  const position = toPoint(spec.position ?? ORIGIN, "position");
  if (isError(position)) return position;
  const spawn = create(SpawnSchema, { ...position, ...numbersOf(spec) });
  const hasTemplate = spawn.templateNumber !== 0;
  if (!hasTemplate || (spec.parts ?? []).length > 0) {
    const parts = encodeParts(spec.parts ?? [], limits);
    if (isError(parts)) return parts;
    spawn.parts = parts;
  }
  if (spec.motion) {
    const motion = encodeMotion(spec.motion);
    if (isError(motion)) return motion;
    spawn.motion = motion;
  }
  return checkNumbers(spawn) ?? spawn;
}

function numbersOf(spec: ObjectSpec) {
  return {
    timeToLiveTicks: spec.timeToLiveTicks ?? 0,
    despawnOutsidePlayfield: spec.despawnOutsidePlayfield ?? false,
    continuous: spec.continuous ?? false,
    singleUse: spec.singleUse ?? false,
    hitPoints: spec.hitPoints ?? 0,
    damage: spec.damage ?? 0,
    templateNumber: spec.templateNumber ?? 0,
  };
}

function checkNumbers(spawn: Spawn) {
  return firstOf(
    checkUint32(spawn.timeToLiveTicks, "timeToLiveTicks"),
    checkUint32(spawn.hitPoints, "hitPoints"),
    checkUint32(spawn.damage, "damage"),
    checkUint32(spawn.templateNumber, "templateNumber"),
  );
}

export function encodeSelection(selection: Selection, layerCount: number): Checked<WireSelection> {
  const message = create(SelectionSchema);
  for (const [index, layer] of (selection.layers ?? []).entries()) {
    const error = checkLayer(layer, layerCount);
    if (error) return error.forElement(index).within("layers");
    message.layers.push(layer);
  }
  if (!selection.region) return message;
  const region = encodeBox(selection.region);
  if (isError(region)) return region.within("region");
  message.region = region;
  return message;
}
