// SPDX-License-Identifier: MIT
import type { HitClaim } from "./claims.js";
import { checkUint32, FieldError } from "./internal/field_error.js";
import type { FrameDraft } from "./internal/frame_draft.js";
import { MatchFeed } from "./match_feed.js";
import type { Part, Vec2 } from "./shapes.js";
import { ErrorCode, failure, Status, success, type Result } from "./status.js";
import type { Motion, ObjectId, ObjectSpec, ParticipantNumber, Selection, Tick } from "./types.js";

/**
 * Makes the changes of a frame.
 *
 * Changes gather in the frame in progress until `endFrame` sends it. A change with a bad argument returns an error and
 * changes nothing. A frame's changes apply by kind, not in the order of the calls: spawns, reshapes, layer changes, moves,
 * teleports, motions, freezes, releases, disables, enables, transfers, despawns, mass despawns, scroll. Of several moves of
 * one object in a frame the last one counts.
 */
export abstract class FrameAuthor extends MatchFeed {
  /** @internal */
  protected abstract draft(): Result<FrameDraft>;

  /**
   * The id is the new object's at once, without a round trip. The SDK hands out the ids of the block in order and begins
   * again at the first when it has used the last, leaving out objects that it spawned and has not despawned. It does not
   * see what the server removes by itself: despawning such an object is not needed, and its id comes again only after all
   * the others of the block.
   *
   * The server may refuse the spawn, which comes back as a rejection of this id with a `field` that begins with "spawns":
   * then the object never existed. Forget the id, and spawn again when the reason is gone.
   */
  spawn(spec: ObjectSpec): Result<ObjectId> {
    const draft = this.draft();
    return draft.ok ? draft.value.spawn(spec) : draft;
  }

  /** By a template of the match, which gives all else: `spawnKind("ship", { x: 240, y: 600 })`. */
  spawnKind(kind: string, position: Vec2, motion?: Motion): Result<ObjectId> {
    const draft = this.draft();
    if (!draft.ok) return draft;
    const place = draft.value.templates.findIndex((template) => template.name === kind);
    if (place >= 0) return draft.value.spawn({ position, motion, templateNumber: place + 1 });
    const what = `is "${kind}", the name of none of the match's templates`;
    return failure(new FieldError(ErrorCode.InvalidArgument, "kind", what).status());
  }

  /** This and the changes below go to the server for any id but 0: it knows the owners. */
  reshape(id: ObjectId, parts: readonly Part[]): Status {
    return this.changeObject(id, ({ frame }) => frame.reshape(id, parts));
  }

  /** Without `part`: all parts. */
  changeLayer(id: ObjectId, layer: number, part?: number): Status {
    return this.changeObject(id, ({ frame }) => frame.changeLayer(id, layer, part));
  }

  move(id: ObjectId, position: Vec2): Status {
    return this.changeObject(id, ({ frame }) => frame.move(id, position));
  }

  /** Without a way there: a continuous object meets nothing in between. */
  teleport(id: ObjectId, position: Vec2): Status {
    return this.changeObject(id, ({ frame }) => frame.teleport(id, position));
  }

  setMotion(id: ObjectId, motion: Motion): Status {
    return this.changeObject(id, ({ frame }) => frame.setMotion(id, motion));
  }

  /** Meets nothing until `untilTick`, the first tick in which it is judged again; 0: until enabled. */
  disable(id: ObjectId, untilTick: Tick = 0): Status {
    return this.changeObject(id, ({ frame }) => frame.disable(id, untilTick));
  }

  enable(id: ObjectId): Status {
    return this.changeObject(id, ({ frame }) => frame.enable(id));
  }

  despawn(id: ObjectId): Status {
    return this.changeObject(id, ({ frame, ids }) => {
      ids.despawned(id);
      return frame.despawn(id);
    });
  }

  /**
   * A bomb: all of these despawn. At most 16 of these four together in a tick. What the session may not clear stays,
   * without a rejection.
   */
  despawnAll(selection: Selection): Status {
    return this.change(({ frame, ids }) => {
      const error = frame.despawnAll(selection);
      if (!error) ids.anyMayBeGone();
      return error;
    });
  }

  /** They do not move by their motion until released; their times to live run. */
  freeze(selection: Selection): Status {
    return this.change(({ frame }) => frame.freeze(selection));
  }

  release(selection: Selection): Status {
    return this.change(({ frame }) => frame.release(selection));
  }

  /**
   * Objects go to another player or stage; without any, all of this session's. `withStage`: this session's part as the
   * stage goes along. Only for a session that acts as a stage.
   */
  transfer(ids: readonly ObjectId[], to: ParticipantNumber, withStage = false): Status {
    return this.change((draft) => {
      const error = draft.frame.transfer(ids, to, withStage);
      if (error) return error;
      if (ids.length === 0) draft.ids.anyMayBeGone();
      for (const id of ids) draft.ids.givenAway(id);
      return undefined;
    });
  }

  /** Moves the playfield's origin to so far from where the config has it. Only for a session that acts as a stage. */
  scrollTo(origin: Vec2): Status {
    return this.change(({ frame }) => frame.scrollTo(origin));
  }

  /**
   * Claims that a shot of this session's hit a target, as it was seen: see HitClaim. It goes with the frame in progress,
   * and is judged against the ticks that are over when that applies; the verdict comes back by `Session.pollVerdict` under
   * the number that this returns.
   */
  claimHit(claim: HitClaim): Result<number> {
    let number = 0;
    const status = this.change((draft) => {
      number = ++draft.lastClaimNumber;
      return draft.frame.claim(number, claim);
    });
    return status.ok ? success(number) : failure(status);
  }

  private change(make: (draft: FrameDraft) => FieldError | undefined): Status {
    const draft = this.draft();
    if (!draft.ok) return draft.status;
    return make(draft.value)?.status() ?? Status.ok;
  }

  private changeObject(id: ObjectId, make: (draft: FrameDraft) => FieldError | undefined): Status {
    return this.change((draft) => {
      if (id === 0) return new FieldError(ErrorCode.UnknownObject, "id", "is 0, which names no object");
      return checkUint32(id, "id") ?? make(draft);
    });
  }
}
