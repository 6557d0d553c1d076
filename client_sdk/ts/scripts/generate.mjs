// SPDX-License-Identifier: MIT
// Generates the messages of the contract: with the protoc that stands in PROTOC, or the system's.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const sdk = dirname(dirname(fileURLToPath(import.meta.url)));
const proto = join(sdk, "../../proto");
const out = join(sdk, "src/generated");
const contract = readdirSync(join(proto, "sweepd/v1")).map((name) => `sweepd/v1/${name}`);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
execFileSync(
  process.env.PROTOC ?? "protoc",
  [
    `--proto_path=${proto}`,
    `--plugin=protoc-gen-es=${join(sdk, "node_modules/.bin/protoc-gen-es")}`,
    `--es_out=${out}`,
    "--es_opt=target=ts,import_extension=js",
    "google/rpc/error.proto",
    ...contract,
  ],
  { stdio: "inherit" },
);
