// SPDX-License-Identifier: MIT
import { ErrorCode, Status } from "../status.js";
import { Link } from "./link.js";
import type { Route } from "./match_stream.js";
import { checkServer, checkTicket } from "./options.js";
import { Timer } from "./timer.js";

export interface CallEvents {
  /** The connection is there. */
  opened(call: Call): void;
  /** A status that is not ok gives the call up. */
  received(bytes: Uint8Array): Status;
}

/** A stream of the contract with an end that is waited for, on a connection of its own. */
export class Call {
  private readonly timer = new Timer();
  private link: Link | undefined;
  private patienceMs: number;
  private finish: (status: Status) => void = () => undefined;

  private constructor(private readonly route: Pick<Route, "server" | "ticket" | "openSocket" | "timeoutMs">) {
    this.patienceMs = route.timeoutMs;
  }

  /** Resolves to how it ended; never rejects. */
  static async run(route: Route, path: string, events: CallEvents): Promise<Status> {
    const fault = checkServer(route.server);
    if (fault) return fault.status();
    const call = new Call(route);
    const ticket = call.ticket();
    if (ticket instanceof Status) return ticket;
    return new Promise((resolve) => {
      call.finish = resolve;
      call.begin(path, ticket, events);
    });
  }

  get bufferedBytes(): number {
    return this.link?.bufferedBytes ?? 0;
  }

  isOver(): boolean {
    return this.link === undefined;
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    this.link?.send(bytes);
  }

  /** From now on the server may say nothing, or take nothing, for so long. */
  wait(timeMs: number): void {
    this.patienceMs = timeMs;
    this.restart();
  }

  /** The server has taken something. */
  progressed(): void {
    if (!this.isOver()) this.restart();
  }

  giveUp(status: Status): void {
    this.link?.cut();
    this.over(status);
  }

  private begin(path: string, ticket: string, events: CallEvents): void {
    this.restart();
    const { server, openSocket } = this.route;
    this.link = new Link(
      { server, path, ticket, openSocket },
      {
        created: () => {
          this.restart();
        },
        opened: () => {
          this.restart();
          events.opened(this);
        },
        received: (bytes) => {
          this.restart();
          this.take(bytes, events);
        },
        closed: (status) => {
          this.over(status);
        },
      },
    );
  }

  private take(bytes: Uint8Array, events: CallEvents): void {
    let status: Status;
    try {
      status = events.received(bytes);
    } catch (error) {
      // The messages' decoder throws at what is none; so may a caller's sink.
      status = new Status(ErrorCode.Internal, `what the server sent was not taken: ${String(error)}`);
    }
    if (!status.ok) this.giveUp(status);
  }

  private restart(): void {
    this.timer.start(this.patienceMs, () => {
      const message = `${this.route.server} did not go on within ${this.patienceMs} ms`;
      this.giveUp(new Status(ErrorCode.DeadlineExceeded, message));
    });
  }

  private over(status: Status): void {
    this.timer.stop();
    this.link = undefined;
    this.finish(status);
  }

  private ticket(): string | Status {
    try {
      const ticket = this.route.ticket();
      const status = checkTicket(this.route.server, ticket);
      return status.ok ? ticket : status;
    } catch (error) {
      return new Status(ErrorCode.InvalidArgument, `freshToken threw: ${String(error)}`, "", "freshToken");
    }
  }
}
