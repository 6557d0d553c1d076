// SPDX-License-Identifier: MIT
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const PROTO = join(import.meta.dirname, "../../../../proto");

/** The bytes that Protobuf's own C++ encoder makes of a message in text form. */
export function encodedByProtoc(type: string, text: string): Uint8Array {
  const options = [`--proto_path=${PROTO}`, `--encode=${type}`, "sweepd/v1/match_service.proto"];
  return new Uint8Array(execFileSync(process.env.PROTOC ?? "protoc", options, { input: text }));
}
