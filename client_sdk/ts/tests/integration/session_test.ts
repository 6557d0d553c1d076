// SPDX-License-Identifier: MIT
//
// Protects a session's life against a real server: joining, frames out, events in, refusals, claims, scores, leaving.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  EndReason,
  ErrorCode,
  EventKind,
  ExitReason,
  Part,
  Role,
  SessionState,
  Verdict,
  type Session,
} from "../../src/index.js";
import { clientOf, joined, Layer, moveTo, nextEvent, spawnBox } from "../support/match.js";
import { Server, SHOOTER } from "../support/server.js";
import { next, until } from "../support/wait.js";

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(async () => {
  await server.stop();
});

async function pair(rules = SHOOTER): Promise<[Session, Session]> {
  const matchId = server.create(rules);
  const ann = await joined(server.url, { matchId, name: "ann" });
  const stage = await joined(server.url, { matchId, name: "stage", role: Role.Stage });
  return [ann, stage];
}

describe("two sessions of a match", () => {
  test("are told the same ENTER when their boxes meet, and the same EXIT", async () => {
    const [ann, stage] = await pair();
    const ship = spawnBox(ann, Layer.Ship, 0);
    const enemy = spawnBox(stage, Layer.Enemy, 100);
    for (const x of [20, 50, 90]) moveTo(ann, ship, x);
    const enter = await nextEvent(ann);
    expect(enter).toMatchObject({
      ...{ kind: EventKind.Enter, reason: ExitReason.None, sequenceNumber: 1 },
      ...{ objectA: ship, objectB: enemy, layerA: Layer.Ship, layerB: Layer.Enemy },
    });
    expect(await nextEvent(stage)).toEqual(enter);
    moveTo(stage, enemy, 400);
    const exit = await nextEvent(stage);
    expect(exit).toMatchObject({ kind: EventKind.Exit, reason: ExitReason.Moved, sequenceNumber: 2 });
    expect(await nextEvent(ann)).toEqual(exit);
    await until(() => ann.tick === stage.tick && ann.tick > exit.tick);
    expect(ann.digest).toBe(stage.digest);
    ann.leave();
    stage.leave();
  });

  test("see the match that they came into", async () => {
    const [ann, stage] = await pair();
    expect(ann.match?.config.layers).toEqual(["ship", "shot", "enemy", "bullet"]);
    expect(ann.match?.clock).toEqual({ paused: false, tickRateHz: 60 });
    expect(stage.match?.participants.map((one) => one.name)).toEqual(["ann", "stage"]);
    expect(stage.participant).toMatchObject({ name: "stage", role: Role.Stage, actsAsStage: true });
    ann.leave();
    stage.leave();
  });

  test("hear of who leaves, and of points", async () => {
    const [ann, stage] = await pair();
    spawnBox(ann, Layer.Ship, 0);
    spawnBox(stage, Layer.Enemy, 0);
    await until(() => stage.scores.some((score) => score.name === "ann" && score.score === 10));
    ann.leave();
    expect(ann.state).toBe(SessionState.Left);
    await nextEvent(stage);
    expect(await nextEvent(stage)).toMatchObject({ kind: EventKind.Exit, reason: ExitReason.OwnerLeft });
    await until(() => stage.scores.every((score) => score.name !== "ann"));
    stage.leave();
  });

  test("end with their match", async () => {
    const [ann, stage] = await pair();
    server.end(ann.match?.matchId ?? "");
    await until(() => ann.state === SessionState.Ended && stage.state === SessionState.Ended);
    expect(ann.endReason).toBe(EndReason.Requested);
    expect(await ann.changed()).toBe(false);
  });

  test("hear when one of them pauses it", async () => {
    const [ann, stage] = await pair();
    expect(ann.pause().ok).toBe(true);
    await until(() => stage.clock.paused);
    expect(ann.resume().ok).toBe(true);
    await until(() => !stage.clock.paused);
    expect(ann.setTickRate(30).ok).toBe(true);
    await until(() => stage.clock.tickRateHz === 30);
    expect(ann.setTickRate(0)).toMatchObject({ code: ErrorCode.OutOfRange, field: "tickRateHz" });
    ann.leave();
    stage.leave();
  });
});

describe("changes", () => {
  test("of every kind of the contract are taken", async () => {
    const [ann, stage] = await pair();
    const ids = [0, 1, 2].map((x) => spawnBox(stage, Layer.Bullet, 1000 * x));
    const [first = 0, second = 0, third = 0] = ids;
    const region = { minX: -50, minY: -50, maxX: 50, maxY: 50 };
    const results = [
      stage.reshape(first, [Part.circle({ x: 1, y: 2 }, 3.5, Layer.Bullet)]),
      stage.reshape(second, [Part.capsule({ x: 0, y: 0 }, { x: 8, y: 8 }, 2, Layer.Bullet)]),
      stage.changeLayer(first, Layer.Enemy, 0),
      stage.changeLayer(first, Layer.Bullet),
      stage.move(first, { x: 10, y: 10 }),
      stage.teleport(second, { x: 500, y: 500 }),
      stage.setMotion(second, { velocity: { x: 1, y: 0 }, acceleration: { x: 0, y: 0.5 } }),
      stage.freeze({ layers: [Layer.Bullet] }),
      stage.release({}),
      stage.disable(third),
      stage.enable(third),
      stage.transfer([third], ann.participant?.number ?? 0),
      stage.scrollTo({ x: 5, y: 0 }),
      stage.despawnAll({ layers: [Layer.Bullet], region }),
      stage.despawn(second),
      stage.endFrame(),
    ];
    expect(results.map((status) => status.message)).toEqual(results.map(() => ""));
    const change = await next(() => ann.pollOwnerChange());
    expect(change).toMatchObject({ from: stage.participant?.number, objects: [third], withStage: false });
    await until(() => stage.tick > change.tick);
    expect(stage.pollRejection()?.message).toBeUndefined();
    ann.leave();
    stage.leave();
  });

  test("that break a rule come back as rejections that name rule, field and object", async () => {
    const [ann, stage] = await pair();
    const ship = spawnBox(ann, Layer.Ship, 0);
    expect(stage.move(ship, { x: 1, y: 1 }).ok).toBe(true);
    expect(stage.endFrame().ok).toBe(true);
    const rejection = await next(() => stage.pollRejection());
    expect(rejection).toMatchObject({ reason: "NOT_OWNER", object: ship, field: "absolute_moves.object_id[0]" });
    expect(rejection.message).not.toBe("");
    expect(stage.state).toBe(SessionState.Joined);
    ann.leave();
    stage.leave();
  });

  test("whose spawn was refused give their id back", async () => {
    const matchId = server.create(`objects_per_participant_max = 1\n${SHOOTER}`);
    const ann = await joined(server.url, { matchId, name: "ann" });
    spawnBox(ann, Layer.Ship, 0);
    const refused = spawnBox(ann, Layer.Ship, 100);
    const rejection = await next(() => ann.pollRejection());
    expect(rejection).toMatchObject({ reason: "TOO_MANY_OBJECTS", object: refused });
    expect(ann.spawn({ id: refused, parts: [Part.circle({ x: 0, y: 0 }, 1, 0)] }).ok).toBe(true);
    ann.leave();
  });
});

describe("a hit claim", () => {
  test("comes back with its verdict and what was measured", async () => {
    const [ann, stage] = await pair();
    const shot = spawnBox(ann, Layer.Shot, 0);
    const enemy = spawnBox(stage, Layer.Enemy, 4);
    const enter = await nextEvent(ann);
    const far = spawnBox(stage, Layer.Enemy, 300);
    await until(() => ann.tick > stage.tick - 1 && ann.tick > enter.tick);
    const hit = ann.claimHit({ shot, target: enemy, tickSeen: enter.tick });
    const miss = ann.claimHit({ shot, target: far, tickSeen: ann.tick, tolerance: 2 });
    expect(ann.endFrame().ok).toBe(true);
    const verdicts = [await next(() => ann.pollVerdict()), await next(() => ann.pollVerdict())];
    expect(verdicts[0]).toMatchObject({ number: hit.value, verdict: Verdict.Confirmed, tickJudged: enter.tick });
    expect(verdicts[0]?.evidence?.margin).toBe(-12);
    expect(verdicts[1]).toMatchObject({ number: miss.value, verdict: Verdict.NotOverlapping, tolerance: 2 });
    expect(verdicts[1]?.evidence?.targetBox).toEqual({ minX: 292, minY: -8, maxX: 308, maxY: 8 });
    ann.leave();
    stage.leave();
  });
});

describe("a watcher", () => {
  test("follows a match without a seat", async () => {
    const [ann, stage] = await pair();
    const watcher = clientOf(server.url).watch({ matchId: ann.match?.matchId ?? "" });
    await until(() => watcher.state === SessionState.Joined);
    spawnBox(ann, Layer.Ship, 0);
    spawnBox(stage, Layer.Enemy, 0);
    expect(await nextEvent(watcher)).toEqual(await nextEvent(ann));
    watcher.leave();
    expect(watcher.state).toBe(SessionState.Left);
    const late = clientOf(server.url).watch({ matchId: ann.match?.matchId ?? "" });
    await until(() => late.state === SessionState.Joined);
    expect(late.encountersAtStart).toHaveLength(1);
    server.end(ann.match?.matchId ?? "");
    await until(() => late.state === SessionState.Ended);
  });

  test("is told only what its filter lets by", async () => {
    const [ann, stage] = await pair();
    const matchId = ann.match?.matchId ?? "";
    const filter = { layers: [Layer.Bullet], kinds: [EventKind.Enter], stayEveryTicks: 1 };
    const watcher = clientOf(server.url).watch({ matchId, filter });
    await until(() => watcher.state === SessionState.Joined);
    spawnBox(ann, Layer.Ship, 0);
    spawnBox(stage, Layer.Enemy, 0);
    await nextEvent(ann);
    spawnBox(stage, Layer.Bullet, 0);
    expect(await nextEvent(watcher)).toMatchObject({ layerB: Layer.Bullet, sequenceNumber: 2 });
    expect((await next(() => watcher.pollStays())).encounters).toHaveLength(1);
    watcher.leave();
    ann.leave();
    stage.leave();
  });
});
