// SPDX-License-Identifier: MIT
//
// Protects what programs decide by: the code, the reason and the field of a server's error, however a stream ends.
import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { BadRequestSchema, ErrorInfoSchema, StatusSchema } from "../../src/generated/google/rpc/error_pb.js";
import { ErrorCode } from "../../src/index.js";
import { statusOfClose, statusOfText } from "../../src/internal/server_status.js";

test("a status in full has the server's reason and field", () => {
  const status = create(StatusSchema, { code: 3, message: "name is empty" });
  status.details.push(anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason: "INVALID_JOIN" })));
  const violation = { field: "name", description: "is empty" };
  status.details.push(anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations: [violation] })));
  const text = Buffer.from(toBinary(StatusSchema, status)).toString("base64");
  expect(statusOfText(text)).toMatchObject({
    ...{ code: ErrorCode.InvalidArgument, reason: "INVALID_JOIN", field: "name", message: "name is empty" },
  });
  for (const nonsense of ["", "###", "hello", "/////w=="]) expect(statusOfText(nonsense)?.reason ?? "").toBe("");
});

test("a close code stands for a status where nothing else was told", () => {
  const closes = [
    [4005, "MATCH_NOT_FOUND: no match has the id x", ErrorCode.NotFound, "MATCH_NOT_FOUND"],
    [4007, "KICKED: an operator has removed ann", ErrorCode.PermissionDenied, "KICKED"],
    [4010, "REPLACED: on another stream", ErrorCode.FailedPrecondition, "REPLACED"],
    [4014, "SERVER_SHUTTING_DOWN: bye", ErrorCode.Unavailable, "SERVER_SHUTTING_DOWN"],
    [4016, "", ErrorCode.Unauthenticated, ""],
    [4099, "", ErrorCode.Internal, ""],
    [1001, "", ErrorCode.Unavailable, ""],
    [1002, "bad frame", ErrorCode.InvalidArgument, ""],
    [1006, "", ErrorCode.Unavailable, ""],
    [1008, "no message came in time", ErrorCode.DeadlineExceeded, ""],
    [1009, "", ErrorCode.ResourceExhausted, "MESSAGE_TOO_LARGE"],
    [1013, "", ErrorCode.ResourceExhausted, "TOO_MANY_BYTES"],
  ] as const;
  for (const [code, text, error, reason] of closes) {
    const status = statusOfClose(code, text, "ws://host");
    expect(status).toMatchObject({ code: error, reason });
    if (code !== 4016 && code !== 4099) expect(status.message).not.toBe("");
  }
  expect(statusOfClose(1000, "", "ws://host").ok).toBe(true);
});
