// SPDX-License-Identifier: MIT
import type { Subscription } from "./internal/subscription.js";
import type { WatchStream } from "./internal/watch_stream.js";
import { MatchFeed } from "./match_feed.js";
import type { Encounter } from "./types.js";

/** Follows a match without a seat. Same rules of use as Session. */
export class Watcher extends MatchFeed {
  /** @internal */
  constructor(
    subscription: Subscription,
    private readonly stream: WatchStream,
  ) {
    super(subscription);
  }

  /** What was in contact when this watcher began. */
  get encountersAtStart(): readonly Encounter[] {
    return this.subscription.encounters;
  }

  /** Follows the match no longer. */
  leave(): void {
    this.stream.leave();
  }
}
