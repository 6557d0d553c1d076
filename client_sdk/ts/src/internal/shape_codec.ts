// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import { BoxSchema, type Box as WireBox } from "../generated/sweepd/v1/geometry_pb.js";
import {
  CapsuleSchema,
  CircleSchema,
  MaskShapeSchema,
  PartSchema,
  type Part as WirePart,
} from "../generated/sweepd/v1/shape_pb.js";
import type { Box, Capsule, Circle, MaskShape, Part, Shape, Vec2 } from "../shapes.js";
import { ErrorCode } from "../status.js";
import { FieldError, isError, type Checked } from "./field_error.js";
import { INT32_MAX, INT32_MIN, toPoint, toSubunits, toUnits, type Point } from "./subunits.js";

/** What of a match bounds shapes. */
export interface MatchLimits {
  readonly layerCount: number;
  readonly maskCount: number;
}

const PARTS_MAX = 32;

export function encodeBox(box: Box): Checked<WireBox> {
  const minX = toSubunits(box.minX, "minX");
  if (isError(minX)) return minX;
  const minY = toSubunits(box.minY, "minY");
  if (isError(minY)) return minY;
  const maxX = toSubunits(box.maxX, "maxX");
  if (isError(maxX)) return maxX;
  const maxY = toSubunits(box.maxY, "maxY");
  if (isError(maxY)) return maxY;
  if (minX > maxX) return inverted("minX", box.minX, "maxX", box.maxX);
  if (minY > maxY) return inverted("minY", box.minY, "maxY", box.maxY);
  return create(BoxSchema, { minX, minY, maxX, maxY });
}

function inverted(field: string, min: number, other: string, max: number): FieldError {
  return new FieldError(ErrorCode.InvalidArgument, field, `is ${min}, greater than ${other}, ${max}`);
}

export function decodeBox(box: WireBox | undefined): Box {
  return {
    minX: toUnits(box?.minX ?? 0),
    minY: toUnits(box?.minY ?? 0),
    maxX: toUnits(box?.maxX ?? 0),
    maxY: toUnits(box?.maxY ?? 0),
  };
}

function encodeRadius(units: number): Checked<number> {
  const radius = toSubunits(units, "radius");
  if (isError(radius) || radius >= 0) return radius;
  return new FieldError(ErrorCode.InvalidArgument, "radius", `is ${units}; must be 0 or more`);
}

/** Around a center or the end of a line, `radius` has to stay in the range too. */
function checkReach(center: number, radius: number, field: string): FieldError | undefined {
  if (center - radius >= INT32_MIN && center + radius <= INT32_MAX) return undefined;
  const range = `${toUnits(INT32_MIN)} to ${toUnits(INT32_MAX)}`;
  return new FieldError(ErrorCode.OutOfRange, field, `and radius reach out of the range of ${range}`);
}

function encodePlace(units: Vec2, radius: number, field: string): Checked<Point> {
  const place = toPoint(units, field);
  if (isError(place)) return place;
  return checkReach(place.x, radius, `${field}.x`) ?? checkReach(place.y, radius, `${field}.y`) ?? place;
}

type WireShape = Exclude<WirePart["shape"], { case: undefined }>;

function encodeCircle(circle: Circle): Checked<WireShape> {
  const radius = encodeRadius(circle.radius);
  if (isError(radius)) return radius;
  const center = encodePlace(circle.center, radius, "center");
  if (isError(center)) return center;
  const value = create(CircleSchema, { centerX: center.x, centerY: center.y, radius });
  return { case: "circle", value };
}

function encodeCapsule(capsule: Capsule): Checked<WireShape> {
  const radius = encodeRadius(capsule.radius);
  if (isError(radius)) return radius;
  const a = encodePlace(capsule.a, radius, "a");
  if (isError(a)) return a;
  const b = encodePlace(capsule.b, radius, "b");
  if (isError(b)) return b;
  const value = create(CapsuleSchema, { aX: a.x, aY: a.y, bX: b.x, bY: b.y, radius });
  return { case: "capsule", value };
}

function encodeMask(shape: MaskShape, maskCount: number): Checked<WireShape> {
  if (!(shape.mask >= 0 && shape.mask < maskCount) || !Number.isInteger(shape.mask)) {
    const what = `is ${shape.mask}; the match has ${maskCount} masks, the first one is 0`;
    return new FieldError(ErrorCode.OutOfRange, "mask", what);
  }
  const corner = encodePlace(shape.corner, 0, "corner");
  if (isError(corner)) return corner;
  return { case: "mask", value: create(MaskShapeSchema, { mask: shape.mask, ...corner }) };
}

function encodeShape(shape: Shape, maskCount: number): Checked<WireShape> {
  switch (shape.kind) {
    case "box": {
      const value = encodeBox(shape);
      return isError(value) ? value : { case: "box", value };
    }
    case "circle":
      return encodeCircle(shape);
    case "capsule":
      return encodeCapsule(shape);
    case "mask":
      return encodeMask(shape, maskCount);
  }
}

export function checkLayer(layer: number, layerCount: number): FieldError | undefined {
  if (Number.isInteger(layer) && layer >= 0 && layer < layerCount) return undefined;
  const what = `is ${layer}; the match has layers 0 to ${layerCount - 1}`;
  return new FieldError(ErrorCode.OutOfRange, "layer", what);
}

function encodePart(part: Part, limits: MatchLimits): Checked<WirePart> {
  const shape = encodeShape(part.shape, limits.maskCount);
  if (isError(shape)) return shape.within("shape");
  return checkLayer(part.layer, limits.layerCount) ?? create(PartSchema, { shape, layer: part.layer });
}

export function encodeParts(parts: readonly Part[], limits: MatchLimits): Checked<WirePart[]> {
  if (parts.length === 0 || parts.length > PARTS_MAX) {
    const what = `has ${parts.length} elements; 1 to ${PARTS_MAX} are allowed`;
    return new FieldError(ErrorCode.InvalidArgument, "parts", what);
  }
  const encoded: WirePart[] = [];
  for (const [index, part] of parts.entries()) {
    const message = encodePart(part, limits);
    if (isError(message)) return message.at(index).within("parts");
    encoded.push(message);
  }
  return encoded;
}
