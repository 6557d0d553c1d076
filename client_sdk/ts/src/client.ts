// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import { EventFilterSchema, QueuePolicySchema } from "./generated/sweepd/v1/subscription_pb.js";
import { firstOf, isError } from "./internal/field_error.js";
import type { Route } from "./internal/match_stream.js";
import { checkBound, checkOneOf, checkReconnect, checkServer, reconnectTimes } from "./internal/options.js";
import { PlayStream } from "./internal/play_stream.js";
import { encodeFilter, encodePolicy, holdsBack } from "./internal/stream_codec.js";
import { Subscription } from "./internal/subscription.js";
import { WatchStream } from "./internal/watch_stream.js";
import { Session } from "./session.js";
import type { EventFilter, QueuePolicy, ReconnectOptions } from "./stream.js";
import { Role } from "./types.js";
import { Watcher } from "./watcher.js";
import { openWebSocket, type OpenWebSocket } from "./web_socket.js";

export interface ClientOptions {
  /** ws://HOST:PORT or wss://HOST:PORT: the server's --ws-listen. Default: ws://127.0.0.1:7780. */
  readonly server?: string;
  /**
   * The ticket, where the server asks for one. It goes in a subprotocol, never in the address; in plain text only to this
   * machine.
   */
  readonly token?: string;
  /** Gives the token in its place, for each connection: one that is still good. */
  readonly freshToken?: () => string;
  /** For joining, and for each attempt to come back. Default: 5000. */
  readonly timeoutMs?: number;
  /** Another WebSocket than the platform's, for instance one of the package `ws` with issuers of its own. */
  readonly openSocket?: OpenWebSocket;
}

export interface WatchOptions {
  readonly matchId: string;
  /**
   * Bound of the events and rejections not yet polled. Beyond it the session fails (ResourceExhausted); with 0 it does at
   * the first. Default: 1,000,000.
   */
  readonly eventsQueuedMax?: number;
  readonly filter?: EventFilter;
  readonly queuePolicy?: QueuePolicy;
  readonly reconnect?: ReconnectOptions;
}

export interface JoinOptions extends WatchOptions {
  /** 1 to 64 bytes. */
  readonly name: string;
  /** Default: Player. */
  readonly role?: Role;
  /** Bound of the frames that wait for the connection: 1 or more. Beyond it `endFrame` fails (QueueFull). Default: 256. */
  readonly framesQueuedMax?: number;
}

/**
 * A server. `join` and `watch` return at once; what is wrong with their options is the session's error.
 *
 * It plays and watches. What makes, lists and ends matches is the backend's, or `sweepctl`'s.
 */
export class Client {
  constructor(private readonly options: ClientOptions = {}) {}

  join(options: JoinOptions): Session {
    const { matchId, name, role = Role.Player, framesQueuedMax = 256 } = options;
    const { subscription, route, filter, queuePolicy } = this.prepare(options);
    const request = { matchId, name, role, framesQueuedMax, filter, queuePolicy };
    const stream = new PlayStream(route, subscription, request);
    const error = checkBound(framesQueuedMax, 1, "framesQueuedMax") ?? checkOneOf(role, Object.values(Role), "role");
    if (error) subscription.fail(error.status());
    stream.start();
    return new Session(subscription, stream);
  }

  watch(options: WatchOptions): Watcher {
    const { subscription, route, filter, queuePolicy } = this.prepare(options);
    const request = { matchId: options.matchId, filter, queuePolicy };
    const stream = new WatchStream(route, subscription, request);
    stream.start();
    return new Watcher(subscription, stream);
  }

  /** What is wrong with the options fails the subscription. */
  private prepare(options: WatchOptions) {
    const { eventsQueuedMax = 1_000_000 } = options;
    const filter = encodeFilter(options.filter ?? {});
    const queuePolicy = encodePolicy(options.queuePolicy ?? {});
    const route = this.route(options.reconnect ?? {});
    const subscription = new Subscription(eventsQueuedMax, !isError(filter) && holdsBack(filter));
    const error = firstOf(
      checkServer(route.server),
      checkBound(eventsQueuedMax, 0, "eventsQueuedMax"),
      checkReconnect(route.reconnect),
      isError(filter) ? filter : undefined,
      isError(queuePolicy) ? queuePolicy : undefined,
    );
    if (error) subscription.fail(error.status());
    return {
      subscription,
      route,
      filter: isError(filter) ? create(EventFilterSchema) : filter,
      queuePolicy: isError(queuePolicy) ? create(QueuePolicySchema) : queuePolicy,
    };
  }

  private route(reconnect: ReconnectOptions): Route {
    const { server = "ws://127.0.0.1:7780", token = "", freshToken, timeoutMs = 5_000 } = this.options;
    return {
      server,
      ticket: freshToken ?? (() => token),
      openSocket: this.options.openSocket ?? openWebSocket,
      timeoutMs,
      reconnect: reconnectTimes(reconnect),
    };
  }
}
