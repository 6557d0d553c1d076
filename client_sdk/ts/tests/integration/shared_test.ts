// SPDX-License-Identifier: MIT
//
// Protects game servers that play for several: participants on one stream have seats, frames and errors of their own, and
// are told everything once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ErrorCode, SessionState, type Session } from "../../src/index.js";
import { joined, Layer, nextEvent, spawnBox } from "../support/match.js";
import { Proxy } from "../support/proxy.js";
import { Server } from "../support/server.js";
import { next, until } from "../support/wait.js";

let server: Server;
let matchId: string;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(async () => {
  await server.stop();
});

beforeEach(() => {
  matchId = server.create();
});

function shared(url = server.url): Promise<Session> {
  return joined(url, { matchId, name: "ann", shared: true });
}

async function joinedAlso(first: Session, name: string): Promise<Session> {
  const session = first.joinAlso(name);
  await until(() => session.state !== SessionState.Connecting);
  expect(session.error.message).toBe("");
  return session;
}

describe("sessions on one stream", () => {
  test("play with seats of their own and are told once", async () => {
    const ann = await shared();
    const ben = await joinedAlso(ann, "ben");
    expect(ben.participant?.number).not.toBe(ann.participant?.number);
    const ship = spawnBox(ann, Layer.Ship, 0);
    const enemy = spawnBox(ben, Layer.Enemy, 4);
    const event = await nextEvent(ben);
    expect(new Set([event.objectA, event.objectB])).toEqual(new Set([ship, enemy]));
    expect(ann.pollEvent()).toBeUndefined();
    ann.leave();
    ben.leave();
  });

  test("send their frames in one message", async () => {
    const ann = await shared();
    const ben = await joinedAlso(ann, "ben");
    const [ship, enemy] = [spawnBox(ann, Layer.Ship, 0), spawnBox(ben, Layer.Enemy, 400)];
    expect(ann.move(ship, { x: 200, y: 0 }).ok && ben.move(enemy, { x: 204, y: 0 }).ok).toBe(true);
    expect(ben.endFrames().message).toBe("");
    expect(await nextEvent(ann)).toMatchObject({ kind: "ENTER" });
    ann.leave();
    ben.leave();
  });

  test("say whose a rejection is", async () => {
    const ann = await shared();
    const ben = await joinedAlso(ann, "ben");
    const ship = spawnBox(ann, Layer.Ship, 0);
    expect(ben.despawn(ship).ok && ben.endFrame().ok).toBe(true);
    const rejection = await next(() => ann.pollRejection());
    expect(rejection).toMatchObject({ reason: "NOT_OWNER", object: ship, participant: ben.participant?.number });
    ann.leave();
    ben.leave();
  });

  test("leave one by one, the first as well", async () => {
    const ann = await shared();
    const ben = await joinedAlso(ann, "ben");
    ann.leave();
    expect([ann.state, ben.state]).toEqual([SessionState.Left, SessionState.Joined]);
    expect(ann.endFrame().code).toBe(ErrorCode.NotJoined);
    spawnBox(ben, Layer.Enemy, 0);
    spawnBox(ben, Layer.Ship, 4);
    expect(await nextEvent(ben)).toMatchObject({ kind: "ENTER" });
    const again = await joinedAlso(ben, "ann");
    expect(again.participant?.number).toBe(ann.participant?.number);
    again.leave();
    ben.leave();
    expect(ben.state).toBe(SessionState.Left);
  });

  test("are refused alone", async () => {
    const ann = await shared();
    const ben = await joined(server.url, { matchId, name: "ben" });
    const twin = ann.joinAlso("ben");
    await until(() => twin.state !== SessionState.Connecting);
    expect(twin.state).toBe(SessionState.Failed);
    expect(twin.error).toMatchObject({ code: ErrorCode.AlreadyExists, reason: "NAME_TAKEN" });
    expect(await twin.changed()).toBe(false);
    expect(ann.state).toBe(SessionState.Joined);
    ann.leave();
    ben.leave();
  });

  test("need a stream that is shared", async () => {
    const ann = await joined(server.url, { matchId, name: "ann" });
    const ben = ann.joinAlso("ben");
    expect([ben.state, ben.error.code]).toEqual([SessionState.Failed, ErrorCode.FailedPrecondition]);
    expect(ann.state).toBe(SessionState.Joined);
    ann.leave();
  });

  test("end with their match", async () => {
    const ann = await shared();
    const ben = await joinedAlso(ann, "ben");
    server.end(matchId);
    await until(() => ann.state === SessionState.Ended);
    expect(ben.state).toBe(SessionState.Ended);
  });

  test("all come back when the link is cut", async () => {
    const proxy = await Proxy.to(server.port);
    const ann = await shared(proxy.url);
    const ben = await joinedAlso(ann, "ben");
    const seats = [ann.participant?.number, ben.participant?.number];
    proxy.cut();
    await next(() => ann.pollReconnection());
    await until(() => ann.state === SessionState.Joined && ben.state === SessionState.Joined);
    expect([ann.participant?.number, ben.participant?.number]).toEqual(seats);
    spawnBox(ann, Layer.Ship, 0);
    spawnBox(ben, Layer.Enemy, 4);
    expect(await nextEvent(ann)).toMatchObject({ kind: "ENTER" });
    ann.leave();
    ben.leave();
    proxy.close();
  });
});
