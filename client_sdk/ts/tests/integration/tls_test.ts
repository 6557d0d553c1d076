// SPDX-License-Identifier: MIT
//
// Protects links over TLS: a server is believed by its certificate only, also by one of the game's own issuer.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { Client, ErrorCode, SessionState, type OpenWebSocket } from "../../src/index.js";
import { Server } from "../support/server.js";
import { until } from "../support/wait.js";

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sweepd-ts-tls-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = ["-subj", "/CN=sweepd", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", key, "-out", certificate, "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "ed25519", ...names, ...files], { stdio: "ignore" });
  server = await Server.start(["--tls-cert", certificate, "--tls-key", key]);
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

test("a server whose issuer the game trusts is connected to, and no other", async () => {
  const ca = readFileSync(join(folder, "cert.pem"));
  const matchId = server.control("create", "--ca", join(folder, "cert.pem"), "--layer", "ship");
  const url = server.url.replace("ws:", "wss:");

  const openSocket: OpenWebSocket = (url, protocols) => new WebSocket(url, protocols, { ca });

  const believing = new Client({ server: url, timeoutMs: 60_000, openSocket }).join({ matchId, name: "ann" });
  await until(() => believing.state !== SessionState.Connecting);
  expect(believing.error.message).toBe("");
  expect(believing.state).toBe(SessionState.Joined);
  believing.leave();
  const doubting = new Client({ server: url, timeoutMs: 60_000 }).join({ matchId, name: "ben" });
  await until(() => doubting.state !== SessionState.Connecting);
  expect(doubting.error.code).toBe(ErrorCode.Unavailable);
});
