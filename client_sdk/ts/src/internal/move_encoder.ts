// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import {
  AbsoluteMoveColumnsSchema,
  MoveColumnsSchema,
  type Frame,
  type MoveColumns,
} from "../generated/sweepd/v1/types_pb.js";
import type { ObjectId } from "../types.js";
import { INT32_MAX, INT32_MIN, type Point } from "./subunits.js";

interface Base {
  readonly position: Point;
  /** As the contract has it (MoveColumns). */
  readonly lastStep: Point;
  /** The frame. */
  readonly setIn: number;
}

interface RelativeMove {
  readonly id: ObjectId;
  readonly by: Point;
  /** Undefined: it does not fit a column. */
  readonly againstCourse: Point | undefined;
}

const NOWHERE: Point = { x: 0, y: 0 };

function fitsColumn(difference: number): boolean {
  return difference >= INT32_MIN && difference <= INT32_MAX;
}

/** Nothing: it does not fit. */
function differenceOf(from: Point, to: Point): Point | undefined {
  const x = to.x - from.x;
  const y = to.y - from.y;
  return fitsColumn(x) && fitsColumn(y) ? { x, y } : undefined;
}

/** Of a varint of the zigzag form. */
function bytesOfNumber(value: number): number {
  const zigzag = ((value << 1) ^ (value >> 31)) >>> 0;
  if (zigzag < 1 << 7) return 1;
  if (zigzag < 1 << 14) return 2;
  if (zigzag < 1 << 21) return 3;
  return zigzag < 1 << 28 ? 4 : 5;
}

function bytesOf(offset: Point): number {
  return bytesOfNumber(offset.x) + bytesOfNumber(offset.y);
}

/**
 * Writes a stream's moves as columns of differences against what the stream last sent for each object, or against where
 * that would have gone on to, whichever is shorter for the frame. It does so when a frame goes out, not when it is made:
 * a frame that waits may go out on another stream than it was made for.
 *
 * What has no base here goes out as an absolute row, which is right in any case and begins a base. The server forgets
 * the base of what has not been placed for FRAMES_MAX frames, and so does this.
 */
export class MoveEncoder {
  /** A base holds for the frame that set it and so many after it: see MoveColumns. */
  static readonly FRAMES_MAX = 64;

  private readonly bases = new Map<ObjectId, Base>();
  private frame = 0;

  /** A new stream: nothing has been sent on it. */
  reset(): void {
    this.bases.clear();
  }

  /** How many objects it has something of: no more than the last 2 * FRAMES_MAX frames have placed. */
  get size(): number {
    return this.bases.size;
  }

  /**
   * Takes a frame with its moves in absolute columns, by id: those that can be become relative. Every frame of the
   * stream has to come by here, and in the order in which they go out.
   */
  encode(frame: Frame): void {
    this.beginFrame();
    const given = frame.absoluteMoves;
    delete frame.absoluteMoves;
    // In the order in which the server goes through the frame.
    for (const spawn of frame.spawns) this.place(spawn.objectId, { x: spawn.x, y: spawn.y });
    const relative: RelativeMove[] = [];
    given?.objectId.forEach((id, row) => {
      this.encodeMove(id, { x: given.x[row] ?? 0, y: given.y[row] ?? 0 }, frame, relative);
    });
    if (relative.length > 0) frame.moves = columnsOf(relative);
    frame.teleports?.objectId.forEach((id, row) => {
      this.place(id, { x: frame.teleports?.x[row] ?? 0, y: frame.teleports?.y[row] ?? 0 });
    });
    for (const id of frame.despawns) this.bases.delete(id);
  }

  private beginFrame(): void {
    ++this.frame;
    if (this.frame % MoveEncoder.FRAMES_MAX !== 0) return;
    for (const [id, base] of this.bases) if (!this.holds(base)) this.bases.delete(id);
  }

  private holds(base: Base): boolean {
    return this.frame - base.setIn <= MoveEncoder.FRAMES_MAX;
  }

  private place(id: ObjectId, position: Point, lastStep = NOWHERE): void {
    this.bases.set(id, { position, lastStep, setIn: this.frame });
  }

  private encodeMove(id: ObjectId, to: Point, frame: Frame, relative: RelativeMove[]): void {
    const base = this.bases.get(id);
    const by = base && this.holds(base) ? differenceOf(base.position, to) : undefined;
    if (base && by) {
      relative.push({ id, by, againstCourse: differenceOf(base.lastStep, by) });
    } else {
      const rows = (frame.absoluteMoves ??= create(AbsoluteMoveColumnsSchema));
      rows.objectId.push(id);
      rows.x.push(to.x);
      rows.y.push(to.y);
    }
    this.place(id, to, by);
  }
}

function columnsOf(moves: readonly RelativeMove[]): MoveColumns {
  const columns = create(MoveColumnsSchema, { isAgainstCourse: isShorterAgainstCourse(moves) });
  let idBefore = 0;
  for (const move of moves) {
    const offset = (columns.isAgainstCourse ? move.againstCourse : move.by) ?? NOWHERE;
    columns.idDelta.push(BigInt(move.id - idBefore));
    columns.dx.push(offset.x);
    columns.dy.push(offset.y);
    idBefore = move.id;
  }
  return columns;
}

function isShorterAgainstCourse(moves: readonly RelativeMove[]): boolean {
  let bytes = 0;
  let bytesAgainstCourse = 0;
  for (const { by, againstCourse } of moves) {
    if (!againstCourse) return false;
    bytes += bytesOf(by);
    bytesAgainstCourse += bytesOf(againstCourse);
  }
  return bytesAgainstCourse < bytes;
}
