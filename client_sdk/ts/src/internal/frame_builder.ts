// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import type { HitClaim } from "../claims.js";
import { HitClaimSchema } from "../generated/sweepd/v1/claims_pb.js";
import { ScrollSchema, TransferSchema, type Selection as WireSelection } from "../generated/sweepd/v1/outcome_pb.js";
import {
  AbsoluteMoveColumnsSchema,
  DisableSchema,
  FrameSchema,
  LayerChangeSchema,
  MotionChangeSchema,
  ReshapeSchema,
  type AbsoluteMoveColumns,
  type Frame,
} from "../generated/sweepd/v1/types_pb.js";
import type { Part, Vec2 } from "../shapes.js";
import type { Motion, ObjectId, ObjectSpec, ParticipantNumber, Selection, Tick } from "../types.js";
import { encodeClaim } from "./claim_codec.js";
import { checkAll, checkTick, checkUint32, isError, type FieldError } from "./field_error.js";
import { encodeMotion, encodeSelection, encodeSpec } from "./object_codec.js";
import { checkLayer, encodeParts, type MatchLimits } from "./shape_codec.js";
import { toPoint, type Point } from "./subunits.js";

/** Wrong with a change, which then changes nothing; or nothing. */
type Fault = FieldError | undefined;

/** Gathers the changes of a frame. Moves are absolute columns, by id; how they go over the wire is for the stream to say. */
export class FrameBuilder {
  private frame = create(FrameSchema);
  /** One per object: the last of this frame. */
  private readonly moves = new Map<ObjectId, Point>();
  private readonly teleports: [ObjectId, Point][] = [];

  constructor(private readonly limits: MatchLimits) {}

  spawn(id: ObjectId, spec: ObjectSpec): Fault {
    const spawn = encodeSpec(spec, this.limits);
    if (isError(spawn)) return spawn;
    spawn.objectId = id;
    this.frame.spawns.push(spawn);
    return undefined;
  }

  reshape(id: ObjectId, parts: readonly Part[]): Fault {
    const encoded = encodeParts(parts, this.limits);
    if (isError(encoded)) return encoded;
    this.frame.reshapes.push(create(ReshapeSchema, { objectId: id, parts: encoded }));
    return undefined;
  }

  changeLayer(id: ObjectId, layer: number, part: number | undefined): Fault {
    const error = checkLayer(layer, this.limits.layerCount) ?? checkUint32(part ?? 0, "part");
    if (error) return error;
    const change = create(LayerChangeSchema, { objectId: id, layer });
    if (part !== undefined) change.part = part;
    this.frame.layerChanges.push(change);
    return undefined;
  }

  move(id: ObjectId, position: Vec2): Fault {
    const to = toPoint(position, "position");
    if (isError(to)) return to;
    this.moves.set(id, to);
    return undefined;
  }

  teleport(id: ObjectId, position: Vec2): Fault {
    const to = toPoint(position, "position");
    if (isError(to)) return to;
    this.teleports.push([id, to]);
    return undefined;
  }

  setMotion(id: ObjectId, motion: Motion): Fault {
    const encoded = encodeMotion(motion);
    if (isError(encoded)) return encoded;
    this.frame.motions.push(create(MotionChangeSchema, { objectId: id, motion: encoded }));
    return undefined;
  }

  disable(id: ObjectId, untilTick: Tick): Fault {
    const error = checkTick(untilTick, "untilTick");
    if (error) return error;
    this.frame.disables.push(create(DisableSchema, { objectId: id, untilTick: BigInt(untilTick) }));
    return undefined;
  }

  enable(id: ObjectId): Fault {
    this.frame.enables.push(id);
    return undefined;
  }

  despawn(id: ObjectId): Fault {
    this.frame.despawns.push(id);
    return undefined;
  }

  despawnAll(selection: Selection): Fault {
    return this.addSelection(selection, this.frame.massDespawns);
  }

  freeze(selection: Selection): Fault {
    return this.addSelection(selection, this.frame.freezes);
  }

  release(selection: Selection): Fault {
    return this.addSelection(selection, this.frame.releases);
  }

  transfer(ids: readonly ObjectId[], to: ParticipantNumber, withStage: boolean): Fault {
    const error = checkAll(ids, "ids") ?? checkUint32(to, "to");
    if (error) return error;
    const message = create(TransferSchema, { objectIds: [...ids], toParticipant: to, withStage });
    this.frame.transfers.push(message);
    return undefined;
  }

  scrollTo(origin: Vec2): Fault {
    const to = toPoint(origin, "origin");
    if (isError(to)) return to;
    this.frame.scroll = create(ScrollSchema, to);
    return undefined;
  }

  claim(number: number, claim: HitClaim): Fault {
    const encoded = encodeClaim(claim);
    if (isError(encoded)) return encoded;
    this.frame.claims.push(create(HitClaimSchema, { ...encoded, claimNumber: number }));
    return undefined;
  }

  /** The frame in progress; the next one begins empty. */
  finish(tick: Tick, acknowledgedTick: Tick): Frame {
    const frame = this.frame;
    this.frame = create(FrameSchema);
    frame.tick = BigInt(tick);
    frame.acknowledgedTick = BigInt(acknowledgedTick);
    // Neighbours in id order make small differences, and small differences are single bytes.
    const byId = [...this.moves].sort(([a], [b]) => a - b);
    if (byId.length > 0) frame.absoluteMoves = columnsOf(byId);
    if (this.teleports.length > 0) frame.teleports = columnsOf(this.teleports);
    this.moves.clear();
    this.teleports.length = 0;
    return frame;
  }

  private addSelection(selection: Selection, list: WireSelection[]): Fault {
    const encoded = encodeSelection(selection, this.limits.layerCount);
    if (isError(encoded)) return encoded.within("selection");
    list.push(encoded);
    return undefined;
  }
}

function columnsOf(rows: readonly (readonly [ObjectId, Point])[]): AbsoluteMoveColumns {
  return create(AbsoluteMoveColumnsSchema, {
    objectId: rows.map(([id]) => id),
    x: rows.map(([, to]) => to.x),
    y: rows.map(([, to]) => to.y),
  });
}
