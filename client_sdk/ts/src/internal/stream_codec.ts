// SPDX-License-Identifier: MIT
import { create } from "@bufbuild/protobuf";
import {
  EventFilterSchema,
  QueuePolicySchema,
  WhenFull as WireWhenFull,
  type EventFilter as WireFilter,
  type QueuePolicy as WirePolicy,
} from "../generated/sweepd/v1/subscription_pb.js";
import type { Undone as WireUndone } from "../generated/sweepd/v1/stream_pb.js";
import { EventKind as WireEventKind } from "../generated/sweepd/v1/types_pb.js";
import { WhenFull, type EventFilter, type QueuePolicy, type Undone } from "../stream.js";
import { EventKind } from "../types.js";
import { checkOneOf } from "./options.js";
import { checkAll, checkUint32, firstOf, type Checked } from "./field_error.js";

export function encodeFilter(filter: EventFilter): Checked<WireFilter> {
  const message = create(EventFilterSchema, {
    layers: [...(filter.layers ?? [])],
    objectIds: [...(filter.objects ?? [])],
    kinds: (filter.kinds ?? []).map((kind) => WireEventKind[kind]),
    ownObjects: filter.ownObjects ?? false,
    stayEveryTicks: filter.stayEveryTicks ?? 0,
    digestEveryTicks: filter.digestEveryTicks ?? 0,
  });
  const error = firstOf(
    ...(filter.kinds ?? []).map((kind, i) => checkOneOf(kind, Object.values(EventKind), `kinds[${i}]`)),
    checkAll(message.layers, "layers"),
    checkAll(message.objectIds, "objects"),
    checkUint32(message.stayEveryTicks, "stayEveryTicks"),
    checkUint32(message.digestEveryTicks, "digestEveryTicks"),
  );
  return error?.within("filter") ?? message;
}

export function encodePolicy(policy: QueuePolicy): Checked<WirePolicy> {
  const whenFull = policy.whenFull ?? WhenFull.Disconnect;
  const message = create(QueuePolicySchema, {
    whenFull: WireWhenFull[whenFull],
    eventsMax: policy.eventsMax ?? 0,
  });
  const error = checkOneOf(whenFull, Object.values(WhenFull), "whenFull") ?? checkUint32(message.eventsMax, "eventsMax");
  return error?.within("queuePolicy") ?? message;
}

/** Whether the server holds events back for it. */
export function holdsBack(filter: WireFilter): boolean {
  return filter.layers.length + filter.objectIds.length + filter.kinds.length > 0 || filter.ownObjects;
}

export function decodeUndone(undone: WireUndone): Undone {
  return {
    afterTick: Number(undone.afterTick),
    afterSequenceNumber: Number(undone.afterSequenceNumber),
    lostTicks: Number(undone.lostTicks),
  };
}
