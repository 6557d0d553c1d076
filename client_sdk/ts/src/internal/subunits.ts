// SPDX-License-Identifier: MIT
import { ErrorCode } from "../status.js";
import { FieldError, isError, type Checked } from "./field_error.js";
import type { Vec2 } from "../shapes.js";

export const SUBUNITS_PER_UNIT = 256;
export const INT32_MIN = -0x8000_0000;
export const INT32_MAX = 0x7fff_ffff;

/** Exact. */
export function toUnits(subunits: number): number {
  return subunits / SUBUNITS_PER_UNIT;
}

/** Rounds half away from zero, as Math.round does not. Never -0. */
function round(value: number): number {
  return value < 0 ? 0 - Math.round(-value) : Math.round(value);
}

/** The nearest subunit, half away from zero, or what is wrong with `units` under the name `field`. */
export function toSubunits(units: number, field: string): Checked<number> {
  if (!Number.isFinite(units)) return new FieldError(ErrorCode.NotANumber, field, "is not a finite number");
  const rounded = round(units * SUBUNITS_PER_UNIT);
  if (rounded >= INT32_MIN && rounded <= INT32_MAX) return rounded;
  const range = `${toUnits(INT32_MIN)} to ${toUnits(INT32_MAX)}`;
  return new FieldError(ErrorCode.OutOfRange, field, `is ${units}; the range is ${range}`);
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function toPoint(units: Vec2, field: string): Checked<Point> {
  const x = toSubunits(units.x, "x");
  if (isError(x)) return x.within(field);
  const y = toSubunits(units.y, "y");
  return isError(y) ? y.within(field) : { x, y };
}
