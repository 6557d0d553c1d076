// SPDX-License-Identifier: MIT
//
// What objects are made of. Lengths are in playfield units, usually pixels; the SDK rounds them to the server's
// integers, 1/256 of a unit, half away from zero. Every shape is relative to the position of its object, and
// touching counts.

export interface Vec2 {
  readonly x: number;
  readonly y: number;
}

/** Closed edges: touching boxes overlap. Zero size is allowed; min > max is an error. */
export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** A box of this size around the object's position. */
export function centeredBox(width: number, height: number): Box {
  return { minX: -width / 2, minY: -height / 2, maxX: width / 2, maxY: height / 2 };
}

/** A circle with its edge. */
export interface Circle {
  readonly center: Vec2;
  /** 0 or more; 0 is a point. */
  readonly radius: number;
}

/** A beam at any angle: all points at most `radius` away from the straight line from `a` to `b`. */
export interface Capsule {
  readonly a: Vec2;
  /** May be the same point. */
  readonly b: Vec2;
  /** 0 or more. */
  readonly radius: number;
}

/** The pixels of a bit mask. */
export interface MaskShape {
  /** Its place among the match's masks. */
  readonly mask: number;
  /** The upper left corner of its first pixel. */
  readonly corner: Vec2;
}

export type Shape =
  | ({ readonly kind: "box" } & Box)
  | ({ readonly kind: "circle" } & Circle)
  | ({ readonly kind: "capsule" } & Capsule)
  | ({ readonly kind: "mask" } & MaskShape);

/** One shape of an object, on a layer: `Part.circle({ x: 0, y: 0 }, 2.5, bulletLayer)`. */
export interface Part {
  readonly shape: Shape;
  /** Its place among the match's layers. */
  readonly layer: number;
}

export const Part = {
  box: (box: Box, layer: number): Part => ({ shape: { kind: "box", ...box }, layer }),
  circle: (center: Vec2, radius: number, layer: number): Part => ({
    shape: { kind: "circle", center, radius },
    layer,
  }),
  capsule: (a: Vec2, b: Vec2, radius: number, layer: number): Part => ({
    shape: { kind: "capsule", a, b, radius },
    layer,
  }),
  mask: (mask: number, corner: Vec2, layer: number): Part => ({
    shape: { kind: "mask", mask, corner },
    layer,
  }),
};
