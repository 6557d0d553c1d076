// SPDX-License-Identifier: MIT
import type { Frame, MoveColumns } from "../../src/generated/sweepd/v1/types_pb.js";

interface Position {
  readonly x: number;
  readonly y: number;
}

interface Base {
  readonly position: Position;
  readonly lastStep: Position;
  readonly setIn: number;
}

const NOWHERE: Position = { x: 0, y: 0 };

function fits(coordinate: number): boolean {
  return coordinate === (coordinate | 0);
}

/** Reads frames as types.proto tells a server to. */
export class ReferenceReader {
  private readonly bases = new Map<number, Base>();
  private frame = 0;

  /** Where each object that the frame moves is moved to. */
  read(frame: Frame): Map<number, Position> {
    ++this.frame;
    for (const [id, base] of this.bases) if (this.frame - base.setIn > 64) this.bases.delete(id);
    for (const { objectId, x, y } of frame.spawns) this.place(objectId, { x, y });
    const moved = frame.moves ? this.readMoves(frame.moves) : new Map<number, Position>();
    frame.absoluteMoves?.objectId.forEach((id, row) => {
      const to = { x: frame.absoluteMoves?.x[row] ?? 0, y: frame.absoluteMoves?.y[row] ?? 0 };
      moved.set(id, to);
      this.place(id, to);
    });
    for (const id of frame.despawns) this.bases.delete(id);
    return moved;
  }

  private place(id: number, position: Position, lastStep = NOWHERE): void {
    this.bases.set(id, { position, lastStep, setIn: this.frame });
  }

  private readMoves(moves: MoveColumns): Map<number, Position> {
    const moved = new Map<number, Position>();
    let id = 0;
    moves.idDelta.forEach((delta, row) => {
      id += Number(delta);
      const base = this.bases.get(id);
      const from = base?.position ?? NOWHERE;
      const course = moves.isAgainstCourse ? (base?.lastStep ?? NOWHERE) : NOWHERE;
      const to = {
        x: from.x + course.x + (moves.dx[row] ?? 0),
        y: from.y + course.y + (moves.dy[row] ?? 0),
      };
      const step = { x: to.x - from.x, y: to.y - from.y };
      this.place(id, to, base && fits(step.x) && fits(step.y) ? step : NOWHERE);
      moved.set(id, to);
    });
    return moved;
  }
}
