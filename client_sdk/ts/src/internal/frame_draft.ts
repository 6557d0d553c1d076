// SPDX-License-Identifier: MIT
import type { ObjectTemplate } from "../generated/sweepd/v1/templates_pb.js";
import type { MatchConfig } from "../generated/sweepd/v1/types_pb.js";
import { ErrorCode, failure, Status, success, type Result } from "../status.js";
import type { ObjectId, ObjectSpec } from "../types.js";
import { checkUint32, FieldError } from "./field_error.js";
import { FrameBuilder } from "./frame_builder.js";
import { ObjectIds } from "./object_ids.js";

/** What has to be known of a template. */
interface Kind {
  readonly name: string;
  /** The server may remove such an object without being told to. */
  readonly endsByItself: boolean;
}

/** What a FrameAuthor writes to: the frame in progress and the ids that it may use. */
export class FrameDraft {
  readonly frame: FrameBuilder;
  readonly templates: readonly Kind[];
  lastClaimNumber = 0;
  private readonly clearableLayers: ReadonlySet<number>;

  constructor(
    config: MatchConfig,
    readonly ids: ObjectIds,
  ) {
    this.frame = new FrameBuilder({ layerCount: config.layers.length, maskCount: config.masks.length });
    this.clearableLayers = new Set(config.clearableLayers.map((layer) => config.layers.indexOf(layer)));
    this.templates = config.templates.map((template) => ({
      name: template.name,
      endsByItself: this.templateEndsByItself(template),
    }));
  }

  spawn(spec: ObjectSpec): Result<ObjectId> {
    const id = this.chooseId(spec.id ?? 0);
    if (!id.ok) return id;
    const error = this.frame.spawn(id.value, spec);
    if (error) return failure(error.status());
    this.ids.spawned(id.value, this.endsByItself(spec));
    return id;
  }

  private chooseId(wanted: ObjectId): Result<ObjectId> {
    const ids = this.ids;
    if (ids.isEmpty) return refused(ErrorCode.FailedPrecondition, "an observer has no object ids: it spawns nothing");
    if (wanted === 0) {
      const id = ids.nextFree();
      if (id !== 0) return success(id);
      return refused(ErrorCode.OutOfIds, `every object id from ${ids.first} to ${ids.last} is in use`);
    }
    const error = checkUint32(wanted, "id");
    if (error) return failure(error.status());
    if (!ids.contains(wanted)) {
      const what = `is ${wanted}; the session's block is ${ids.first} to ${ids.last}`;
      return failure(new FieldError(ErrorCode.InvalidArgument, "id", what).status());
    }
    if (!ids.isInUse(wanted)) return success(wanted);
    const message = `id ${wanted} is in use, or was until this very frame`;
    return failure(new Status(ErrorCode.IdInUse, message, "", "id"));
  }

  /** Whether the server may remove the object without being told to. */
  private endsByItself(spec: ObjectSpec): boolean {
    if (this.templates[(spec.templateNumber ?? 0) - 1]?.endsByItself) return true;
    const hasEnd = (spec.timeToLiveTicks ?? 0) !== 0 || (spec.hitPoints ?? 0) !== 0;
    return (
      hasEnd || (spec.despawnOutsidePlayfield ?? false) || (spec.singleUse ?? false) || this.isClearable(spec.parts ?? [])
    );
  }

  private templateEndsByItself(template: ObjectTemplate): boolean {
    return (
      template.timeToLiveMaxTicks !== 0 ||
      template.hitPoints !== 0 ||
      template.despawnOutsidePlayfield ||
      template.singleUse ||
      template.shapes.some((shape) => this.isClearable(shape.parts))
    );
  }

  private isClearable(parts: readonly { readonly layer: number }[]): boolean {
    return parts.some((part) => this.clearableLayers.has(part.layer));
  }
}

function refused(code: ErrorCode, message: string): Result<never> {
  return failure(new Status(code, message));
}
