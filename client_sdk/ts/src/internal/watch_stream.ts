// SPDX-License-Identifier: MIT
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  WatchRequestSchema,
  WatchResponseSchema,
  type WatchRequest,
  type WatchStarted,
} from "../generated/sweepd/v1/match_service_pb.js";
import type { Link } from "./link.js";
import { MatchStream, type Route } from "./match_stream.js";
import { decodeUndone } from "./stream_codec.js";
import type { Subscription } from "./subscription.js";

/** A watcher's stream: updates in, nothing out. */
export class WatchStream extends MatchStream {
  protected readonly path = "/sweepd.v1.MatchService/Watch";

  constructor(
    route: Route,
    subscription: Subscription,
    private readonly request: Pick<WatchRequest, "matchId"> & Partial<WatchRequest>,
  ) {
    super(route, subscription);
  }

  leave(): void {
    this.subscription.leave();
    this.close();
  }

  protected override opened(link: Link): void {
    const request = create(WatchRequestSchema, this.request);
    if (this.mayComeBack()) request.resume = this.subscription.resumePoint();
    link.send(toBinary(WatchRequestSchema, request));
  }

  protected override mayComeBack(): boolean {
    return this.subscription.epoch !== 0n;
  }

  protected override receive(bytes: Uint8Array): boolean {
    const { message } = fromBinary(WatchResponseSchema, bytes);
    switch (message.case) {
      case "started":
        return this.receiveStarted(message.value);
      case "update":
        return this.subscription.update(message.value);
      case "ended":
        this.subscription.end(message.value.match);
        return true;
      case "heartbeat":
      case undefined: // A kind of message that a newer server knows.
        return true;
    }
  }

  private receiveStarted(started: WatchStarted): boolean {
    const { match } = started;
    if (!match) return false;
    const undone = started.undone && decodeUndone(started.undone);
    return this.joined({ ...started, match, undone });
  }
}
