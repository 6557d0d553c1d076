// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import { EventFilterSchema, QueuePolicySchema } from "./generated/sweepd/v1/subscription_pb.js";
import { firstOf, isError } from "./internal/field_error.js";
import type { Route } from "./internal/match_stream.js";
import { checkBound, checkOneOf, checkReconnect, checkServer, reconnectTimes } from "./internal/options.js";
import { download, upload } from "./internal/replay_calls.js";
import { encodeVerificationOptions } from "./internal/replay_codec.js";
import { PlaySeat } from "./internal/play_seat.js";
import { PlayStream } from "./internal/play_stream.js";
import { encodeFilter, encodePolicy, holdsBack } from "./internal/stream_codec.js";
import { Subscription } from "./internal/subscription.js";
import { tokenOf } from "./internal/token_text.js";
import { WatchStream } from "./internal/watch_stream.js";
import type { Receipt, ReplayInfo, ReplaySink, Verification, VerificationOptions } from "./replays.js";
import { Session } from "./session.js";
import { failure, success, type Result } from "./status.js";
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
  /**
   * `Session.reconnectToken` of a process or page that is gone: the seat of `name` comes back, with its objects and its
   * score, if the match still keeps it (MatchConfig.reconnectTicks); `role` is not looked at. Default: a new seat.
   */
  readonly reconnectToken?: string;
  /** Further participants may join on this session's stream: `Session.joinAlso`. Default: false. */
  readonly shared?: boolean;
}

/**
 * A server. `join` and `watch` return at once; what is wrong with their options is the session's error.
 *
 * It plays and watches, and fetches and verifies replays. What makes, lists and ends matches is the backend's, or `sweepctl`'s.
 */
export class Client {
  constructor(private readonly options: ClientOptions = {}) {}

  join(options: JoinOptions): Session {
    const { matchId, name, role = Role.Player, framesQueuedMax = 256, shared: isShared = false } = options;
    const { subscription, route, filter, queuePolicy } = this.prepare(options);
    const token = tokenOf(options.reconnectToken ?? "");
    const error = firstOf(
      checkBound(framesQueuedMax, 1, "framesQueuedMax"),
      checkOneOf(role, Object.values(Role), "role"),
      isError(token) ? token : undefined,
    );
    if (error) subscription.fail(error.status());
    const seat = new PlaySeat(name, role, isError(token) ? new Uint8Array() : token);
    const request = { matchId, framesQueuedMax, filter, queuePolicy, isShared };
    const stream = new PlayStream(route, subscription, request, seat);
    stream.start();
    return new Session(subscription, stream, seat, []);
  }

  watch(options: WatchOptions): Watcher {
    const { subscription, route, filter, queuePolicy } = this.prepare(options);
    const request = { matchId: options.matchId, filter, queuePolicy };
    const stream = new WatchStream(route, subscription, request);
    stream.start();
    return new Watcher(subscription, stream);
  }

  /**
   * The replay of a match, a piece at a time, in order: of one that is over as the server keeps it, of one that runs up to
   * its last tick. DeadlineExceeded if nothing comes for `timeoutMs`, for the first piece at least 30 s. Unavailable if
   * `sink` wants no more. What a sink got before an error is no replay. NotFound: no such match, or its replay has been
   * removed. FailedPrecondition: the server keeps nothing.
   */
  getReplay(matchId: string, sink: ReplaySink): Promise<Result<ReplayInfo>> {
    return download(this.route({}), { matchId, receiptOnly: false }, sink);
  }

  /** What a match came to, and the server's word for it. Of a match that runs, without. */
  async getReceipt(matchId: string): Promise<Result<Receipt>> {
    const info = await download(this.route({}), { matchId, receiptOnly: true }, () => true);
    return info.ok ? success(info.value.receipt) : info;
  }

  /**
   * Has the server play a replay again, and say whether it is what it says; at most 64 MiB. Whatever is wrong with the
   * bytes is a verdict. ResourceExhausted: too large, or too many at once; the reason says which.
   */
  async verifyReplay(bytes: Uint8Array, options: VerificationOptions = {}): Promise<Result<Verification>> {
    const encoded = encodeVerificationOptions(options);
    if (isError(encoded)) return failure(encoded.status());
    return upload(this.route({}), bytes, encoded, options.timeoutMs ?? 540_000);
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
