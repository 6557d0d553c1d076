// SPDX-License-Identifier: MIT
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  GetReplayRequestSchema,
  GetReplayResponseSchema,
  VerifyReplayRequestSchema,
  VerifyReplayResponseSchema,
  type GetReplayRequest,
  type VerificationOptions as WireOptions,
  type VerifyReplayRequest,
} from "../generated/sweepd/v1/replay_service_pb.js";
import type { ReplayInfo, ReplaySink, Verification } from "../replays.js";
import { ErrorCode, failure, Status, success, type Result } from "../status.js";
import { Call } from "./call.js";
import type { Route } from "./match_stream.js";
import { decodeReceipt, decodeVerification } from "./replay_codec.js";

/** What a replay's first message may take: the server may have to write it first. */
const OPENING_MS = 30_000;
const PIECE_BYTES = 64 * 1024;
/** Sockets do not say when they have room again. */
const ROOM_CHECK_MS = 5;

type Request = Pick<GetReplayRequest, "matchId" | "receiptOnly">;

export async function download(route: Route, request: Request, sink: ReplaySink): Promise<Result<ReplayInfo>> {
  let info: ReplayInfo | undefined;
  let bytes = 0;
  const status = await Call.run(route, "/sweepd.v1.ReplayService/GetReplay", {
    opened: (call) => {
      call.send(toBinary(GetReplayRequestSchema, create(GetReplayRequestSchema, request)));
      call.wait(Math.max(route.timeoutMs, OPENING_MS));
    },
    received: (message) => {
      const response = fromBinary(GetReplayResponseSchema, message).message;
      if (response.case === "info" && response.value.receipt)
        info = { receipt: decodeReceipt(response.value.receipt), bytes: Number(response.value.bytes) };
      if (response.case !== "chunk") return Status.ok;
      bytes += response.value.length;
      return sink(response.value) ? Status.ok : new Status(ErrorCode.Unavailable, "the sink wants no more");
    },
  });
  if (!status.ok) return failure(status);
  if (info && (request.receiptOnly || bytes === info.bytes)) return success(info);
  return failure(new Status(ErrorCode.Internal, `the server sent ${bytes} bytes of ${info?.bytes ?? "no replay"}`));
}

export async function upload(
  route: Route,
  bytes: Uint8Array,
  options: WireOptions,
  timeoutMs: number,
): Promise<Result<Verification>> {
  let verification: Verification | undefined;
  const status = await Call.run(route, "/sweepd.v1.ReplayService/VerifyReplay", {
    opened: (call) => {
      send(call, { case: "options", value: options });
      void sendPieces(call, bytes, timeoutMs);
    },
    received: (message) => {
      verification = decodeVerification(fromBinary(VerifyReplayResponseSchema, message));
      return Status.ok;
    },
  });
  if (!status.ok) return failure(status);
  if (verification) return success(verification);
  return failure(new Status(ErrorCode.Internal, "the server gave no verdict"));
}

function send(call: Call, message: VerifyReplayRequest["message"]): void {
  call.send(toBinary(VerifyReplayRequestSchema, create(VerifyReplayRequestSchema, { message })));
}

/** A piece at a time, as fast as the connection takes them; then the empty message that ends them. */
async function sendPieces(call: Call, bytes: Uint8Array, timeoutMs: number): Promise<void> {
  for (let at = 0; at < bytes.length && !call.isOver(); at += PIECE_BYTES) {
    let waiting = call.bufferedBytes;
    while (waiting > PIECE_BYTES && !call.isOver()) {
      await new Promise((resolve) => setTimeout(resolve, ROOM_CHECK_MS));
      if (call.bufferedBytes < waiting) call.progressed();
      waiting = call.bufferedBytes;
    }
    send(call, { case: "chunk", value: new Uint8Array(bytes.subarray(at, at + PIECE_BYTES)) });
    call.progressed();
  }
  if (call.isOver()) return;
  call.send(new Uint8Array());
  call.wait(timeoutMs);
}
