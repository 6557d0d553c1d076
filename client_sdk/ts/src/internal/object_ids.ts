// SPDX-License-Identifier: MIT
import type { ObjectId } from "../types.js";

/**
 * The session's block of object ids, and which of them are taken.
 *
 * What the server removes by itself (time to live, playfield, used up, destroyed, cleared) does not come back here. So
 * the ids of such objects count as free once their frame is sent, and only the order keeps them apart: ids are handed out
 * from the first to the last of the block before the first is handed out again.
 */
export class ObjectIds {
  private next: ObjectId;
  /** Until this session despawns them. */
  private readonly held = new Set<ObjectId>();
  /** Spawned or despawned in the frame in progress. */
  private readonly inProgress = new Set<ObjectId>();
  private despawnedInFrame: ObjectId[] = [];

  /** 0 to 0: an empty block. `skip`: how far into it ids begin. */
  constructor(
    readonly first: ObjectId,
    readonly last: ObjectId,
    skip = 0,
  ) {
    this.next = last < first ? first : first + (skip % (last - first + 1));
  }

  get isEmpty(): boolean {
    return this.first === 0 || this.last < this.first;
  }

  contains(id: ObjectId): boolean {
    return !this.isEmpty && id >= this.first && id <= this.last;
  }

  /** Spawned and not yet despawned in a frame that was sent, or used in the frame in progress. */
  isInUse(id: ObjectId): boolean {
    return this.held.has(id) || this.inProgress.has(id);
  }

  /** The next free id, or 0 if there is none. It stays free until `spawned`. */
  nextFree(): ObjectId {
    const size = this.last - this.first + 1;
    // Spares the walk over a whole block that is held.
    if (this.isEmpty || this.held.size >= size) return 0;
    for (let tried = 0; tried < size; ++tried) {
      if (!this.isInUse(this.next)) return this.next;
      this.next = this.after(this.next);
    }
    return 0;
  }

  /** `endsByItself`: the server may remove the object without this session's doing. */
  spawned(id: ObjectId, endsByItself: boolean): void {
    this.inProgress.add(id);
    if (endsByItself) this.held.delete(id);
    else this.held.add(id);
    if (id === this.next) this.next = this.after(id);
  }

  despawned(id: ObjectId): void {
    this.inProgress.add(id);
    this.despawnedInFrame.push(id);
  }

  /** The server may have removed any of them without this session's naming it. */
  anyMayBeGone(): void {
    this.held.clear();
  }

  /** It has another owner now, or the server refused its spawn. */
  givenAway(id: ObjectId): void {
    this.held.delete(id);
  }

  /** The frame in progress is sent. */
  frameSent(): void {
    for (const id of this.despawnedInFrame) this.held.delete(id);
    this.despawnedInFrame = [];
    this.inProgress.clear();
  }

  private after(id: ObjectId): ObjectId {
    return id === this.last ? this.first : id + 1;
  }
}
