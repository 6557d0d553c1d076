// SPDX-License-Identifier: MIT
import { create, toBinary } from "@bufbuild/protobuf";
import { FramesSchema, LeaveSchema, type PlayRequest } from "../generated/sweepd/v1/match_service_pb.js";
import { FrameSchema, type Frame } from "../generated/sweepd/v1/types_pb.js";
import type { PlaySeat } from "./play_seat.js";

export interface SeatFrame {
  readonly seat: PlaySeat;
  readonly frame: Frame;
}

type Message = PlayRequest["message"];

/** What waits for the connection: frames of one message, a seat that leaves, or anything else that is sent as it is. */
export type Outgoing =
  | { readonly kind: "frames"; readonly frames: readonly SeatFrame[] }
  | { readonly kind: "leave"; readonly seat: PlaySeat }
  | { readonly kind: "message"; readonly message: Message };

/** Of a message of several frames. The server takes 64 frames and 1 MiB, and moves may grow a little when relative. */
const FRAMES_MAX = 64;
const FRAMES_BYTES_MAX = 512 * 1024;
/** The tag and the length of a frame in a message. */
const BYTES_AROUND_FRAME = 8;

/** In as few messages as they fit. */
export function inMessages(frames: readonly SeatFrame[]): SeatFrame[][] {
  const messages: SeatFrame[][] = [];
  let bytes = Infinity;
  for (const one of frames) {
    const more = toBinary(FrameSchema, one.frame).length + BYTES_AROUND_FRAME;
    const last = messages.at(-1);
    if (last && last.length < FRAMES_MAX && bytes + more <= FRAMES_BYTES_MAX) {
      last.push(one);
      bytes += more;
    } else {
      messages.push([one]);
      bytes = more;
    }
  }
  return messages;
}

/** For the connection that is there. `isShared`: frames say whose they are. Nothing: there is nothing left of it to send. */
export function prepare(outgoing: Outgoing, isShared: boolean): Message | undefined {
  if (outgoing.kind === "message") return outgoing.message;
  if (outgoing.kind === "leave") {
    const { seat } = outgoing;
    if (!seat.isHere || seat.number === undefined) return undefined;
    return { case: "leave", value: create(LeaveSchema, { participant: seat.number }) };
  }
  const frames = outgoing.frames.filter(({ seat }) => seat.number !== undefined && (seat.isHere || !seat.isOver));
  for (const { seat, frame } of frames) {
    if (isShared && seat.number !== undefined) frame.participant = seat.number;
    seat.moves.encode(frame);
  }
  const [first, ...more] = frames;
  if (!first) return undefined;
  if (more.length === 0) return { case: "frame", value: first.frame };
  return { case: "frames", value: create(FramesSchema, { frames: frames.map(({ frame }) => frame) }) };
}
