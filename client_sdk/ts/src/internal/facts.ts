// SPDX-License-Identifier: MIT
import type { ClaimVerdict } from "../claims.js";
import type { TickUpdate } from "../generated/sweepd/v1/types_pb.js";
import type { Destruction, LateReport, OwnerChange, Tick } from "../types.js";
import { decodeClaimVerdict } from "./claim_codec.js";
import { Recent } from "./queue.js";

/** With the tick of the update that told it. */
export interface ToldVerdict {
  readonly verdict: ClaimVerdict;
  readonly told: Tick;
}

/** What few ticks bring beside events, of each kind the newest. */
export class Facts {
  readonly destructions = new Recent<Destruction>();
  readonly ownerChanges = new Recent<OwnerChange>();
  readonly lateReports = new Recent<LateReport>();
  readonly claimVerdicts = new Recent<ToldVerdict>();
  readonly claimWarnings = new Recent<ToldVerdict>();

  /** Takes what an update tells. */
  put(update: TickUpdate): void {
    for (const one of update.destructions) {
      this.destructions.put({
        object: one.objectId,
        byObject: one.byObjectId,
        owner: one.owner,
        byOwner: one.byOwner,
        layer: one.layer,
        byLayer: one.byLayer,
        tick: Number(one.tick),
      });
    }
    for (const one of update.ownerChanges) {
      this.ownerChanges.put({
        from: one.fromParticipant,
        to: one.toParticipant,
        withStage: one.withStage,
        objects: one.objectIds,
        tick: Number(one.tick),
      });
    }
    for (const one of update.lateParticipants)
      this.lateReports.put({ tick: Number(one.tick), participants: one.participants });
    const told = Number(update.tick);
    for (const one of update.claimVerdicts) this.claimVerdicts.put({ verdict: decodeClaimVerdict(one), told });
    for (const one of update.claimWarnings) this.claimWarnings.put({ verdict: decodeClaimVerdict(one), told });
  }

  /** Those of later ticks did not happen. */
  undo(afterTick: Tick): void {
    this.destructions.remove((one) => one.tick > afterTick);
    this.ownerChanges.remove((one) => one.tick > afterTick);
    this.lateReports.remove((one) => one.tick > afterTick);
    this.claimVerdicts.remove((one) => one.told > afterTick);
    this.claimWarnings.remove((one) => one.told > afterTick);
  }
}
