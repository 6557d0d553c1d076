// SPDX-License-Identifier: MIT
//
// Protects a game from a stream that breaks: the SDK comes back to the same seat and the same place in the log, or says
// why it does not; and what waits meanwhile stays bounded.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ErrorCode, Role, SessionState, Status, type Session } from "../../src/index.js";
import { clientOf, joined, Layer, moveTo, nextEvent, spawnBox } from "../support/match.js";
import { Proxy } from "../support/proxy.js";
import { Server, SHOOTER } from "../support/server.js";
import { next, until } from "../support/wait.js";

let server: Server;
let proxy: Proxy;
let stage: Session;
let matchId: string;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(async () => {
  await server.stop();
});

beforeEach(async () => {
  proxy = await Proxy.to(server.port);
  matchId = server.create();
  stage = await joined(server.url, { matchId, name: "stage", role: Role.Stage });
});

afterEach(() => {
  stage.leave();
  proxy.close();
});

/** What goes on while the link is down, and is told later: it begins and ends. */
async function meetAndPart(ship: number): Promise<void> {
  const enemy = spawnBox(stage, Layer.Enemy, 0);
  expect(await nextEvent(stage)).toMatchObject({ objectA: Math.min(ship, enemy) });
  moveTo(stage, enemy, 500);
  await nextEvent(stage);
}

describe("a session whose link is cut", () => {
  test("comes back to its seat, its objects and its place in the log", async () => {
    const ann = await joined(proxy.url, { matchId, name: "ann" });
    const ship = spawnBox(ann, Layer.Ship, 0);
    await meetAndPart(ship);
    await nextEvent(ann);
    await nextEvent(ann);
    const seat = ann.participant?.number;
    proxy.shut();
    await until(() => ann.state === SessionState.Reconnecting);
    await until(() => stage.participantsAway.length === 1);
    await meetAndPart(ship);
    proxy.open();
    const reconnection = await next(() => ann.pollReconnection());
    expect(reconnection).toMatchObject({ resumed: true, undone: undefined });
    expect(reconnection.awayMs).toBeGreaterThan(0);
    expect(ann.participant).toMatchObject({ number: seat, objects: 1 });
    expect((await nextEvent(ann)).sequenceNumber).toBe(3);
    expect((await nextEvent(ann)).sequenceNumber).toBe(4);
    spawnBox(stage, Layer.Enemy, 900);
    moveTo(ann, ship, 900);
    expect((await nextEvent(ann)).objectA).toBe(Math.min(ship, (await nextEvent(stage)).objectA));
    expect(ann.pollRejection()).toBeUndefined();
    ann.leave();
  });

  test("comes back each time", async () => {
    const ann = await joined(proxy.url, { matchId, name: "ann" });
    for (let cut = 0; cut < 5; ++cut) {
      proxy.cut();
      expect((await next(() => ann.pollReconnection())).resumed).toBe(true);
    }
    const ship = spawnBox(ann, Layer.Ship, 0);
    await meetAndPart(ship);
    expect((await nextEvent(ann)).sequenceNumber).toBe(1);
    ann.leave();
  });

  test("keeps the frames that are ended meanwhile, up to its bound, and sends them when it is back", async () => {
    const ann = await joined(proxy.url, { matchId, name: "ann", framesQueuedMax: 3 });
    proxy.shut();
    await until(() => ann.state === SessionState.Reconnecting);
    spawnBox(ann, Layer.Ship, 0);
    expect(ann.endFrame().ok).toBe(true);
    expect(ann.endFrame().ok).toBe(true);
    expect(ann.unsentFrames).toBe(3);
    expect(ann.endFrame()).toMatchObject({ code: ErrorCode.QueueFull });
    spawnBox(stage, Layer.Enemy, 0);
    proxy.open();
    await nextEvent(ann);
    expect(ann.unsentFrames).toBe(0);
    ann.leave();
  });

  test("gives up when its time is over, with the last error", async () => {
    const reconnect = { timeoutMs: 200, longestPauseMs: 50 };
    const ann = await joined(proxy.url, { matchId, name: "ann", reconnect });
    proxy.shut();
    await until(() => ann.state === SessionState.Failed);
    expect(ann.error.code).toBe(ErrorCode.Unavailable);
  });

  test("fails at once where its seat is not kept", async () => {
    const strict = server.create(SHOOTER.replace("36000", "0"));
    const ann = await joined(proxy.url, { matchId: strict, name: "ann" });
    proxy.cut();
    await until(() => ann.state === SessionState.Failed);
    expect(ann.error.code).toBe(ErrorCode.Unavailable);
  });

  test("is told that its seat is gone, when it comes back too late", async () => {
    const short = server.create(SHOOTER.replace("36000", "1"));
    const other = await joined(server.url, { matchId: short, name: "bob" });
    const ann = await joined(proxy.url, { matchId: short, name: "ann" });
    spawnBox(ann, Layer.Ship, 0);
    spawnBox(other, Layer.Ship, 0);
    await nextEvent(other);
    proxy.shut();
    await nextEvent(other);
    proxy.open();
    await until(() => ann.state === SessionState.Failed);
    expect(ann.error).toMatchObject({ code: ErrorCode.PermissionDenied, reason: "INVALID_TOKEN" });
    other.leave();
  });
});

describe("a session whose link is dead and does not say so", () => {
  test("comes back after the silence that it was given", async () => {
    const reconnect = { silenceMaxMs: 1_000 };
    const ann = await joined(proxy.url, { matchId, name: "ann", reconnect });
    proxy.silence();
    await until(() => ann.silentForMs > 500);
    expect((await next(() => ann.pollReconnection())).resumed).toBe(true);
    expect(ann.silentForMs).toBeLessThan(1_000);
    ann.leave();
  });

  test("takes frames up to its bound only, however much the socket would hold", async () => {
    const reconnect = { silenceMaxMs: 0 };
    const ann = await joined(proxy.url, { matchId, name: "ann", framesQueuedMax: 8, reconnect });
    proxy.silence();
    const ids = Array<number>(50_000).fill(4_000_000_000); // 250 kB.
    let status = Status.ok;
    while (status.ok) {
      expect(ann.transfer(ids, 0).ok).toBe(true);
      status = ann.endFrame();
    }
    expect(status.code).toBe(ErrorCode.QueueFull);
    expect(ann.unsentFrames).toBe(8);
    ann.leave();
  });
});

describe("a watcher whose link is cut", () => {
  test("goes on where it was", async () => {
    const ann = await joined(server.url, { matchId, name: "ann" });
    const ship = spawnBox(ann, Layer.Ship, 0);
    const watcher = clientOf(proxy.url).watch({ matchId });
    await until(() => watcher.state === SessionState.Joined);
    proxy.shut();
    await until(() => watcher.state === SessionState.Reconnecting);
    await meetAndPart(ship);
    proxy.open();
    expect((await next(() => watcher.pollReconnection())).resumed).toBe(true);
    expect((await nextEvent(watcher)).sequenceNumber).toBe(1);
    expect((await nextEvent(watcher)).sequenceNumber).toBe(2);
    watcher.leave();
    ann.leave();
  });
});

describe("a game that stops polling", () => {
  test("loses its session when more waits than its bound, and no event in the middle", async () => {
    const ann = await joined(proxy.url, { matchId, name: "ann", eventsQueuedMax: 3 });
    const ship = spawnBox(ann, Layer.Ship, 0);
    await meetAndPart(ship);
    await meetAndPart(ship);
    await until(() => ann.state === SessionState.Failed);
    expect(ann.error).toMatchObject({ code: ErrorCode.ResourceExhausted, field: "eventsQueuedMax" });
    const numbers = [];
    for (let event; (event = ann.pollEvent());) numbers.push(event.sequenceNumber);
    expect(numbers).toEqual([1, 2, 3].slice(0, numbers.length));
    expect(numbers.length).toBeGreaterThan(0);
    await until(() => proxy.connections === 0);
  });
});
