// SPDX-License-Identifier: MIT
import { fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { BadRequestSchema, ErrorInfoSchema, StatusSchema } from "../generated/google/rpc/error_pb.js";
import { ErrorCode, Status } from "../status.js";

/** google.rpc.Code, as far as an SDK tells them apart. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  0: ErrorCode.None,
  1: ErrorCode.Unavailable, // CANCELLED
  3: ErrorCode.InvalidArgument,
  4: ErrorCode.DeadlineExceeded,
  5: ErrorCode.NotFound,
  6: ErrorCode.AlreadyExists,
  7: ErrorCode.PermissionDenied,
  8: ErrorCode.ResourceExhausted,
  9: ErrorCode.FailedPrecondition,
  10: ErrorCode.FailedPrecondition, // ABORTED
  11: ErrorCode.OutOfRange,
  14: ErrorCode.Unavailable,
  15: ErrorCode.DataLoss,
  16: ErrorCode.Unauthenticated,
};

/** A close of a stream that failed: this and google.rpc.Code. */
const STREAM_FAILED = 4000;
const STREAM_FAILED_LAST = 4999;

/** Of close codes of WebSocket itself (RFC 6455, 7.4), where the server says more than that the link broke. */
const CLOSE_CODES: Readonly<Record<number, { code: ErrorCode; reason: string }>> = {
  1002: { code: ErrorCode.InvalidArgument, reason: "" },
  1003: { code: ErrorCode.InvalidArgument, reason: "" },
  1007: { code: ErrorCode.InvalidArgument, reason: "" },
  1008: { code: ErrorCode.DeadlineExceeded, reason: "" }, // No message came in time.
  1009: { code: ErrorCode.ResourceExhausted, reason: "MESSAGE_TOO_LARGE" },
  1013: { code: ErrorCode.ResourceExhausted, reason: "TOO_MANY_BYTES" },
};

const NORMAL = 1000;

function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The status in the text frame before a close. Nothing: it is none. */
export function statusOfText(text: string): Status | undefined {
  try {
    const rich = fromBinary(StatusSchema, bytesOfBase64(text));
    let reason = "";
    let field = "";
    for (const detail of rich.details) {
      reason ||= anyUnpack(detail, ErrorInfoSchema)?.reason ?? "";
      field ||= anyUnpack(detail, BadRequestSchema)?.fieldViolations[0]?.field ?? "";
    }
    return new Status(CODES[rich.code] ?? ErrorCode.Internal, rich.message, reason, field);
  } catch {
    return undefined;
  }
}

/** Of a join on a shared stream, or of one that was on it. */
export function statusOfRefusal(refusal: { code: number; reason: string; message: string }): Status {
  const code = CODES[refusal.code] ?? ErrorCode.Internal;
  return new Status(code === ErrorCode.None ? ErrorCode.Internal : code, refusal.message, refusal.reason);
}

/** "REASON: message", as much of it as a close holds. */
function statusOfReason(code: ErrorCode, text: string): Status {
  const parts = /^([A-Z][A-Z0-9_]*): (.*)$/s.exec(text);
  return parts ? new Status(code, parts[2] ?? "", parts[1]) : new Status(code, text);
}

/** How a stream ended whose connection was closed so. Ok: in order. */
export function statusOfClose(code: number, reason: string, where: string): Status {
  if (code === NORMAL) return Status.ok;
  if (code > STREAM_FAILED && code <= STREAM_FAILED_LAST)
    return statusOfReason(CODES[code - STREAM_FAILED] ?? ErrorCode.Internal, reason);
  const known = CLOSE_CODES[code];
  if (known) return new Status(known.code, reason || `the server closed with ${code}`, known.reason);
  const words = reason === "" ? "" : `: ${reason}`;
  return new Status(ErrorCode.Unavailable, `the connection to ${where} broke (${code})${words}`);
}
