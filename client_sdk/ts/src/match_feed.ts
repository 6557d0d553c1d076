// SPDX-License-Identifier: MIT
import type { ClaimVerdict } from "./claims.js";
import type { Subscription } from "./internal/subscription.js";
import type { Status } from "./status.js";
import type { EncounterSnapshot, EventGap, Reconnection, Stays } from "./stream.js";
import type {
  ClockState,
  Destruction,
  EndReason,
  Event,
  LateReport,
  MatchInfo,
  OwnerChange,
  ParticipantNumber,
  Score,
  SessionState,
  Tick,
} from "./types.js";

/** What is told of a match: what a Session and a Watcher have in common. */
export abstract class MatchFeed {
  /** @internal */
  constructor(
    /** @internal */
    protected readonly subscription: Subscription,
  ) {}

  get state(): SessionState {
    return this.subscription.state;
  }

  /** Why the session failed; ok otherwise. */
  get error(): Status {
    return this.subscription.error;
  }

  /** The match when its stream began. Undefined until then. */
  get match(): MatchInfo | undefined {
    return this.subscription.match;
  }

  /**
   * The last tick of which everything has been received (polled or not). It goes back only when the server died: see
   * Reconnection.undone.
   */
  get tick(): Tick {
    return this.subscription.tick;
  }

  /** The match's digest after `digestTick`; 0: none was told. */
  get digest(): bigint {
    return this.subscription.digest;
  }

  /** `tick`, but where digests are asked for more seldom than updates (EventFilter.digestEveryTicks). */
  get digestTick(): Tick {
    return this.subscription.digestTick;
  }

  /**
   * Up to this tick the match survives the death of its server. What follows from later ticks (a prize, say) is better
   * given once this has passed them.
   */
  get durableTick(): Tick {
    return this.subscription.durableTick;
  }

  /** Why the match ended; None until the state is Ended. */
  get endReason(): EndReason {
    return this.subscription.endReason;
  }

  /** The match's clock as last heard of. */
  get clock(): ClockState {
    return this.subscription.clock;
  }

  /**
   * How long nothing has come from the server: at most about half a second as long as the link is sound, whether ticks
   * run or not. 0 before the stream began and after its end.
   */
  get silentForMs(): number {
    return this.subscription.silentForMs;
  }

  /** The score after `tick` of each participant that is in the match, as far as there are scoring rules. */
  get scores(): readonly Score[] {
    return this.subscription.scores.all();
  }

  /** Participants that are away, as last heard of: numbers, ascending. */
  get participantsAway(): readonly ParticipantNumber[] {
    return this.subscription.away;
  }

  /** @internal */
  protected get isOver(): boolean {
    return this.subscription.isOver;
  }

  /** Waits until something came or the state changed. False: the stream is over, and nothing more comes. */
  async changed(): Promise<boolean> {
    if (!this.isOver) {
      await this.subscription.changes.wait();
      return true;
    }
    // A loop that does not look at the answer is not to hold up all else.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return false;
  }

  /** The next event of the log, in order, or nothing now. */
  pollEvent(): Event | undefined {
    return this.subscription.events.take();
  }

  /**
   * The next object of any owner that lost its last hit point, or nothing now. Of this and of the like of it below 16,384
   * wait to be polled; then the oldest go.
   */
  pollDestruction(): Destruction | undefined {
    return this.subscription.facts.destructions.take();
  }

  /** The next objects, or the stage, that went from one participant to another, or nothing now. */
  pollOwnerChange(): OwnerChange | undefined {
    return this.subscription.facts.ownerChanges.take();
  }

  /** LOCKSTEP: the next tick that ran by its deadline, with the participants that were late; or nothing now. */
  pollLate(): LateReport | undefined {
    return this.subscription.facts.lateReports.take();
  }

  /**
   * Stages, observers and watchers, where the match says so: the next claim of another that was not confirmed; of one
   * claimant and tick at most 64.
   */
  pollClaimWarning(): ClaimVerdict | undefined {
    return this.subscription.facts.claimWarnings.take()?.verdict;
  }

  /** A snapshot that replaced events: the newest that has not been polled, or nothing. */
  pollSnapshot(): EncounterSnapshot | undefined {
    const snapshot = this.subscription.snapshot;
    this.subscription.snapshot = undefined;
    return snapshot;
  }

  /** The next gap in the log (WhenFull.Gap), or nothing now. */
  pollGap(): EventGap | undefined {
    return this.subscription.gaps.take();
  }

  /** The newest stays that have not been polled, or nothing. */
  pollStays(): Stays | undefined {
    const stays = this.subscription.stays;
    this.subscription.stays = undefined;
    return stays;
  }

  /** The stream broke and is there again; each such time, or nothing now. */
  pollReconnection(): Reconnection | undefined {
    return this.subscription.reconnections.take();
  }
}
