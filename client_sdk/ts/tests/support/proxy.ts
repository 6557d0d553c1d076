// SPDX-License-Identifier: MIT
import { connect, createServer, type AddressInfo, type Server as NetServer, type Socket } from "node:net";

/** Stands between a client and a server, and breaks what goes through it. */
export class Proxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isOpen = true;

  private constructor(
    private readonly door: NetServer,
    private readonly target: number,
  ) {
    door.on("connection", (client) => {
      this.pass(client);
    });
  }

  static async to(target: number): Promise<Proxy> {
    const door = createServer();
    await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
    return new Proxy(door, target);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.door.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.pairs.size;
  }

  /** The links break, and new ones may come. */
  cut(): void {
    for (const [client, server] of this.pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /** The links break, and new ones are refused until `open`. */
  shut(): void {
    this.isOpen = false;
    this.cut();
  }

  open(): void {
    this.isOpen = true;
  }

  /** Nothing passes any more on the links that are there, and none of them ends. */
  silence(): void {
    for (const [client, server] of this.pairs) {
      client.pause();
      server.pause();
      client.unpipe();
      server.unpipe();
    }
  }

  close(): void {
    this.shut();
    this.door.close();
  }

  private pass(client: Socket): void {
    if (!this.isOpen) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.target, "127.0.0.1");
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const [one, other] of [pair, [server, client] as const]) {
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        other.destroy();
        this.pairs.delete(pair);
      });
    }
  }
}
