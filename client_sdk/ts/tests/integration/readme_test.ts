// SPDX-License-Identifier: MIT
//
// Protects the first thing that a reader tries: the example of the README is the one here, and does what it says, with the
// package as it is built.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Server } from "../support/server.js";

const SDK = join(import.meta.dirname, "../..");
const EXAMPLE = join(SDK, "examples/first_match.js");
let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(async () => {
  await server.stop();
});

test("the example of the README is examples/first_match.js, in ten lines", () => {
  const example = readFileSync(EXAMPLE, "utf8");
  expect(readFileSync(join(SDK, "README.md"), "utf8")).toContain("```js\n" + example + "```");
  const body = example.slice(example.indexOf("const"));
  expect(body.trim().split("\n").length).toBeLessThanOrEqual(10);
});

test("it prints the contact of a ship and a bullet, and its end", async () => {
  const layers = ["--layer", "ship", "--layer", "bullet", "--collide", "ship:bullet"];
  const matchId = server.control("create", ...layers);
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, server.url, matchId]);
  expect(stdout).toMatch(/^ENTER (\d+) (\d+)\nEXIT \1 \2\n$/);
});
