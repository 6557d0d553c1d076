// SPDX-License-Identifier: MIT
//
// Protects a player whose page is reloaded: with the token that it saved the seat comes back with its objects.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ErrorCode, SessionState } from "../../src/index.js";
import { clientOf, failed, joined, Layer, nextEvent, spawnBox } from "../support/match.js";
import { Proxy } from "../support/proxy.js";
import { Server } from "../support/server.js";

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(async () => {
  await server.stop();
});

test("a new process takes the seat again with its objects, and is told what is in contact", async () => {
  const matchId = server.create();
  const proxy = await Proxy.to(server.port);
  const before = await joined(proxy.url, { matchId, name: "ann", reconnect: { timeoutMs: 0 } });
  const [ship, enemy] = [spawnBox(before, Layer.Ship, 0), spawnBox(before, Layer.Enemy, 4)];
  await nextEvent(before);
  const { reconnectToken } = before;
  expect(reconnectToken).toMatch(/^[0-9a-f]{32}$/);
  proxy.shut();

  const after = await joined(server.url, { matchId, name: "ann", reconnectToken });
  expect(after.participant?.number).toBe(before.participant?.number);
  expect(after.encountersAtJoin).toMatchObject([{ objectA: ship, objectB: enemy }]);
  expect(after.move(ship, { x: 400, y: 0 }).ok && after.endFrame().ok).toBe(true);
  expect(await nextEvent(after)).toMatchObject({ kind: "EXIT", objectA: ship, objectB: enemy });
  expect([ship, enemy]).not.toContain(spawnBox(after, Layer.Ship, 800));
  after.leave();
  proxy.close();
});

test("what is no token of the seat is refused by name", async () => {
  const matchId = server.create();
  const other = await failed(clientOf(server.url), { matchId, name: "ann", reconnectToken: "00".repeat(16) });
  expect(other.error).toMatchObject({ code: ErrorCode.PermissionDenied, reason: "INVALID_TOKEN" });
  const malformed = clientOf(server.url).join({ matchId, name: "ann", reconnectToken: "0g" });
  expect(malformed.state).toBe(SessionState.Failed);
  expect(malformed.error).toMatchObject({ code: ErrorCode.InvalidArgument, field: "reconnectToken" });
});
