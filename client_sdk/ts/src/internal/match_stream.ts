// SPDX-License-Identifier: MIT
import { ErrorCode, Status } from "../status.js";
import type { Reconnection } from "../stream.js";
import { SessionState } from "../types.js";
import { Link, type Address } from "./link.js";
import { checkTicket } from "./options.js";
import { ReconnectPauses } from "./reconnect_pauses.js";
import type { Subscription, SubscriptionStart } from "./subscription.js";
import { Timer } from "./timer.js";

/** How to get to a match. */
export interface Route {
  readonly server: string;
  /** Each attempt asks anew. */
  readonly ticket: () => string;
  readonly openSocket: Address["openSocket"];
  /** From `start` until joined, and for each attempt to come back. */
  readonly timeoutMs: number;
  readonly reconnect: ReconnectTimes;
}

export interface ReconnectTimes {
  readonly timeoutMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  readonly silenceMaxMs: number;
}

/** Less would be no attempt. */
const SHORTEST_ATTEMPT_MS = 50;
/** A timer that goes off so late tells of this process, not of the server. */
const LATE_TIMER_MS = 250;
/** None: closed before the match has ended, as some proxies do. */
const CODES_THAT_PASS: readonly ErrorCode[] = [ErrorCode.None, ErrorCode.Internal, ErrorCode.DeadlineExceeded];
const REASONS_THAT_PASS = ["SLOW_READER", "TOO_MANY_STREAMS", "TOO_MANY_BYTES", "MEMORY_SHORT"];

/** Whether it may be another time that the server says something else. `isKept`: the match outlives its server's process. */
function mayPass(status: Status, isKept: boolean): boolean {
  // Its matches go with it, where it keeps no journal.
  if (status.code === ErrorCode.Unavailable) return isKept || status.reason !== "SERVER_SHUTTING_DOWN";
  // A slow reader may catch up, other streams may end; but a message that was too large stays so.
  if (status.code === ErrorCode.ResourceExhausted) return REASONS_THAT_PASS.includes(status.reason);
  return CODES_THAT_PASS.includes(status.code);
}

/**
 * A stream of a match from first to last: connects, asks, reads until it is over. When the connection breaks, it comes
 * back on another one, for as long as ReconnectOptions say.
 */
export abstract class MatchStream {
  protected link: Link | undefined;

  private isCancelled = false;
  private readonly pauses: ReconnectPauses;
  private attempts = 0; // Since it broke.
  private attemptMs = 0;
  private brokeAt = 0;
  private joinedAt: number | undefined;
  private silenceMaxMs = 0;
  private readonly attemptTimer = new Timer();
  private readonly silenceTimer = new Timer();
  private readonly pauseTimer = new Timer();

  protected constructor(
    private readonly route: Route,
    readonly subscription: Subscription,
  ) {
    this.pauses = new ReconnectPauses(route.reconnect.firstPauseMs, route.reconnect.longestPauseMs);
  }

  protected abstract readonly path: string;
  /** What is said first. */
  protected abstract opened(link: Link): void;
  /** False: the stream is of no use any more. */
  protected abstract receive(bytes: Uint8Array): boolean;
  /** Whether the server would let a stream that broke in again. */
  protected abstract mayComeBack(): boolean;

  start(): void {
    if (this.isCancelled || this.subscription.isOver) return;
    ++this.attempts;
    const ticket = this.ticket();
    if (ticket === undefined) return;
    this.attemptMs = this.patienceMs();
    this.awaitJoin(this.attemptMs);
    const { server, openSocket } = this.route;
    const link: Link = new Link(
      { server, path: this.path, ticket, openSocket },
      {
        // Loading a socket's code is no fault of the server's.
        created: () => {
          this.awaitJoin(this.attemptMs);
        },
        opened: () => {
          this.opened(link);
        },
        received: (bytes) => {
          this.received(bytes);
        },
        closed: (status) => {
          this.over(status);
        },
      },
    );
    this.link = link;
  }

  /** Gives up, at whatever point it is, without a word to the server. */
  cancel(): void {
    this.isCancelled = true;
    this.link?.cut();
    this.stopTimers();
  }

  /** The match has let this stream in, for the first time or again. False: it is not waited for any more. */
  protected joined(start: SubscriptionStart): boolean {
    this.attemptTimer.stop();
    const now = performance.now();
    this.joinedAt = now;
    const reconnection: Reconnection = {
      attempts: this.attempts,
      awayMs: now - this.brokeAt,
      resumed: start.resumed,
      undone: start.undone,
    };
    if (!this.subscription.join(start, reconnection)) return false;
    this.watchSilence(start.heartbeatMs);
    return true;
  }

  /** Gives a server so long to end the stream. */
  protected closeAfter(timeMs: number): void {
    this.pauseTimer.start(timeMs, () => {
      this.link?.close();
      this.stopTimers();
    });
  }

  /** Ends the stream in order, at once. */
  protected close(): void {
    this.isCancelled = true;
    this.link?.close();
    this.stopTimers();
  }

  /** Undefined: there is none to send, and the stream is over. */
  private ticket(): string | undefined {
    try {
      const ticket = this.route.ticket();
      const status = checkTicket(this.route.server, ticket);
      if (status.ok) return ticket;
      this.subscription.fail(status);
    } catch (error) {
      const message = `freshToken threw: ${String(error)}`;
      this.subscription.fail(new Status(ErrorCode.InvalidArgument, message, "", "freshToken"));
    }
    return undefined;
  }

  private patienceMs(): number {
    if (this.subscription.state === SessionState.Connecting) return this.route.timeoutMs;
    const rest = this.route.reconnect.timeoutMs - (performance.now() - this.brokeAt);
    return Math.min(this.route.timeoutMs, Math.max(rest, SHORTEST_ATTEMPT_MS));
  }

  private received(bytes: Uint8Array): void {
    this.subscription.noteHeard();
    if (this.understands(bytes)) return;
    this.link?.cut();
    this.over(new Status(ErrorCode.Unavailable, "the stream is of no use any more"));
  }

  private understands(bytes: Uint8Array): boolean {
    try {
      return this.receive(bytes);
    } catch (error) {
      // The messages' decoder throws at what is none.
      const message = `the server sent what is no message of the contract: ${String(error)}`;
      return !this.subscription.fail(new Status(ErrorCode.Internal, message));
    }
  }

  /** A stream that may not come back keeps its link, silent or not. */
  private watchSilence(heartbeatMs: number): void {
    const { silenceMaxMs, timeoutMs } = this.route.reconnect;
    if (heartbeatMs <= 0 || silenceMaxMs <= 0 || timeoutMs <= 0 || !this.mayComeBack()) return;
    this.silenceMaxMs = Math.max(silenceMaxMs, 2 * heartbeatMs);
    this.waitForSilence(this.silenceMaxMs);
  }

  private waitForSilence(timeMs: number): void {
    const due = performance.now() + timeMs;
    this.silenceTimer.start(timeMs, () => {
      this.checkSilence(due);
    });
  }

  private checkSilence(due: number): void {
    if (this.subscription.state !== SessionState.Joined) return;
    const silence = this.subscription.silentForMs;
    if (silence < this.silenceMaxMs) {
      this.waitForSilence(this.silenceMaxMs - silence);
    } else if (performance.now() - due > LATE_TIMER_MS) {
      // This process stood still itself, and has yet to read what came meanwhile.
      this.waitForSilence(LATE_TIMER_MS);
    } else {
      const message = `nothing has come from ${this.route.server} for ${Math.round(silence)} ms`;
      this.breakOff(new Status(ErrorCode.DeadlineExceeded, message));
    }
  }

  private awaitJoin(timeMs: number): void {
    const due = performance.now() + timeMs;
    this.attemptTimer.start(timeMs, () => {
      this.checkJoin(due);
    });
  }

  private checkJoin(due: number): void {
    if (performance.now() - due > LATE_TIMER_MS) {
      // This process stood still itself, and has yet to read what came meanwhile.
      this.awaitJoin(LATE_TIMER_MS);
      return;
    }
    const message = `${this.route.server} let no participant in within ${Math.round(this.attemptMs)} ms`;
    this.breakOff(new Status(ErrorCode.DeadlineExceeded, message));
  }

  private breakOff(status: Status): void {
    this.link?.cut();
    this.over(status);
  }

  private over(status: Status): void {
    this.stopTimers();
    this.link = undefined;
    if (this.shallComeBack(status)) {
      this.pauseTimer.start(this.pauses.nextMs(), () => {
        this.start();
      });
    } else {
      const closed = new Status(ErrorCode.Unavailable, "the server closed the stream");
      this.subscription.fail(status.ok ? closed : status);
    }
  }

  private shallComeBack(status: Status): boolean {
    const { timeoutMs, longestPauseMs } = this.route.reconnect;
    if (this.isCancelled || timeoutMs <= 0 || !this.mayComeBack()) return false;
    // The next attempt has another ticket, or is refused for good.
    const hasExpired = this.joinedAt !== undefined && status.reason === "TICKET_EXPIRED";
    if (!hasExpired && !mayPass(status, this.subscription.isKept)) return false;
    const now = performance.now();
    // A stream that breaks again at once, before it has brought anything, has not come back. One that has stood for a
    // while has, even if nothing happens in its match.
    const hasStood = this.joinedAt !== undefined && now - this.joinedAt > longestPauseMs;
    this.joinedAt = undefined;
    if (this.subscription.takeProgress() || hasStood) {
      this.brokeAt = now;
      this.attempts = 0;
      this.pauses.restart();
    }
    return now - this.brokeAt < timeoutMs && this.subscription.setReconnecting();
  }

  private stopTimers(): void {
    this.attemptTimer.stop();
    this.silenceTimer.stop();
    this.pauseTimer.stop();
  }
}
