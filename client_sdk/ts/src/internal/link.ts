// SPDX-License-Identifier: MIT
import { ErrorCode, Status } from "../status.js";
import type { OpenWebSocket, WebSocketLike } from "../web_socket.js";
import { statusOfClose, statusOfText } from "./server_status.js";

/** Where a stream of the contract begins: the seam for other doors. */
export interface Address {
  /** ws://HOST:PORT or wss://HOST:PORT, also with a path in front of the contract's. */
  readonly server: string;
  /** "/sweepd.v1.MatchService/Play" */
  readonly path: string;
  /** Empty: none. */
  readonly ticket: string;
  readonly openSocket: OpenWebSocket;
}

export interface LinkEvents {
  /** There is a socket, which connects. */
  created(): void;
  opened(): void;
  received(bytes: Uint8Array): void;
  /** Once. Ok: the other side ended the stream in order. */
  closed(status: Status): void;
}

const SUBPROTOCOL = "sweepd.v1";
const TICKET_PREFIX = "sweepd.ticket.";
const IN_ORDER = 1000;
/** Any other code leaves the seat to be come back to. */
const BROKEN = 4000;

/** One connection: a stream of the contract's messages, one in each binary frame. */
export class Link {
  private socket: WebSocketLike | undefined;
  private wasOpen = false;
  private isOver = false;
  /** What the server said of the stream's end, before it closed. */
  private told: Status | undefined;
  private fault = "";

  constructor(
    private readonly address: Address,
    private readonly events: LinkEvents,
  ) {
    void this.open();
  }

  /** What was sent and is not on the wire. */
  get bufferedBytes(): number {
    return this.socket?.bufferedAmount ?? 0;
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    this.socket?.send(bytes);
  }

  /** The stream is over, in order: of Play, the participant leaves. No event comes any more. */
  close(): void {
    this.drop((socket) => {
      socket.close(IN_ORDER);
    });
  }

  /** The stream broke: a seat is kept. No event comes any more. */
  cut(): void {
    this.drop((socket) => {
      if (socket.terminate) socket.terminate();
      else socket.close(BROKEN);
    });
  }

  private async open(): Promise<void> {
    const { server, path, ticket, openSocket } = this.address;
    const protocols = ticket === "" ? [SUBPROTOCOL] : [SUBPROTOCOL, TICKET_PREFIX + ticket];
    try {
      const socket = await openSocket(server.replace(/\/$/, "") + path, protocols);
      this.socket = socket;
      if (this.isOver) {
        socket.onerror = () => undefined;
        socket.close();
      } else {
        this.listen(socket);
        this.events.created();
      }
    } catch (error) {
      // The constructors of sockets throw at what is no address or no subprotocol.
      this.end(new Status(ErrorCode.InvalidArgument, `no connection to ${server}: ${String(error)}`));
    }
  }

  private listen(socket: WebSocketLike): void {
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wasOpen = true;
      this.events.opened();
    };
    socket.onmessage = (event: { data: string | ArrayBuffer }) => {
      if (typeof event.data === "string") this.told = statusOfText(event.data);
      else this.events.received(new Uint8Array(event.data));
    };
    socket.onerror = (event: { message?: string }) => {
      this.fault = event.message ?? "";
    };
    socket.onclose = (event: { code: number; reason: string }) => {
      this.end(this.told ?? this.statusOf(event));
    };
  }

  private statusOf(event: { code: number; reason: string }): Status {
    const { server } = this.address;
    if (this.wasOpen) return statusOfClose(event.code, event.reason, server);
    // Browsers do not say why.
    const why = this.fault === "" ? "" : `: ${this.fault}`;
    return new Status(ErrorCode.Unavailable, `no connection to ${server}${why}`);
  }

  private end(status: Status): void {
    if (this.isOver) return;
    this.isOver = true;
    this.events.closed(status);
  }

  private drop(close: (socket: WebSocketLike) => void): void {
    if (this.isOver) return;
    this.isOver = true;
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    // A socket that is still being opened reports that it was closed.
    this.socket.onerror = () => undefined;
    close(this.socket);
  }
}
