// SPDX-License-Identifier: MIT
//
// Protects programs that decide by errors: whatever is refused is a value with the server's code, reason and field, and
// nothing is thrown.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Client, ErrorCode, Role, SessionState } from "../../src/index.js";
import { clientOf, failed, joined, Layer, spawnBox } from "../support/match.js";
import { Server, sweepctl } from "../support/server.js";
import { next, until } from "../support/wait.js";

let server: Server;
let client: Client;

beforeAll(async () => {
  server = await Server.start();
  client = clientOf(server.url);
});

afterAll(async () => {
  await server.stop();
});

describe("joining", () => {
  test("fails where there is no such match", async () => {
    const session = await failed(client, { matchId: "nowhere", name: "ann" });
    expect(session.error).toMatchObject({ code: ErrorCode.NotFound, reason: "MATCH_NOT_FOUND" });
    expect(session.error.message).toContain("nowhere");
    expect(session.move(1, { x: 0, y: 0 }).code).toBe(ErrorCode.NotJoined);
    expect(session.endFrame().code).toBe(ErrorCode.NotJoined);
  });

  test("fails under a name that is taken", async () => {
    const matchId = server.create();
    const ann = await joined(server.url, { matchId, name: "ann" });
    const other = await failed(client, { matchId, name: "ann" });
    expect(other.error).toMatchObject({ code: ErrorCode.AlreadyExists, reason: "NAME_TAKEN" });
    ann.leave();
  });

  test("names the field that the server does not take", async () => {
    const matchId = server.create();
    const noName = await failed(client, { matchId, name: "" });
    expect(noName.error).toMatchObject({ code: ErrorCode.InvalidArgument, reason: "INVALID_JOIN", field: "join.name" });
    const noLayer = await failed(client, { matchId, name: "ann", filter: { layers: [0, 9] } });
    expect(noLayer.error).toMatchObject({ reason: "INVALID_JOIN", field: "join.filter.layers[1]" });
  });

  test("names the option that the SDK does not take, at once", () => {
    const bad = [
      [{ framesQueuedMax: 0 }, "framesQueuedMax"],
      [{ eventsQueuedMax: -1 }, "eventsQueuedMax"],
      [{ filter: { objects: [1, -1] } }, "filter.objects[1]"],
      [{ queuePolicy: { eventsMax: 0.5 } }, "queuePolicy.eventsMax"],
      [{ reconnect: { firstPauseMs: 0 } }, "reconnect.firstPauseMs"],
      [{ reconnect: { longestPauseMs: 1 } }, "reconnect.longestPauseMs"],
      [{ role: "GHOST" as Role }, "role"],
    ] as const;
    for (const [options, field] of bad) {
      const session = client.join({ matchId: "any", name: "ann", ...options });
      expect(session.state).toBe(SessionState.Failed);
      expect(session.error.field).toBe(field);
    }
    for (const address of ["", "127.0.0.1:7780", "https://127.0.0.1", "ws://host/?ticket=1"]) {
      const session = new Client({ server: address }).join({ matchId: "any", name: "ann" });
      expect(session.error).toMatchObject({ code: ErrorCode.InvalidArgument, field: "server" });
    }
  });

  test("fails where no server listens", async () => {
    const gone = await Server.start();
    const address = gone.url;
    await gone.stop();
    const session = await failed(clientOf(address), { matchId: "any", name: "ann" });
    expect(session.error.code).toBe(ErrorCode.Unavailable);
    expect(session.error.message).toContain(address);
  });

  test("fails where the server stops", async () => {
    const stopping = await Server.start();
    const session = await joined(stopping.url, { matchId: stopping.create(), name: "ann" });
    await stopping.stop();
    await until(() => session.state === SessionState.Failed);
    expect(session.error).toMatchObject({ code: ErrorCode.Unavailable, reason: "SERVER_SHUTTING_DOWN" });
  });
});

describe("a session of a spawn with a field that the server does not take", () => {
  test("is told of it, and goes on", async () => {
    const ann = await joined(server.url, { matchId: server.create(), name: "ann" });
    const bad = ann.spawn({ parts: [{ shape: { kind: "circle", center: { x: 0, y: 0 }, radius: -1 }, layer: 0 }] });
    expect(bad.status).toMatchObject({ code: ErrorCode.InvalidArgument, field: "parts[0].shape.radius" });
    expect(ann.spawn({ templateNumber: 7 }).ok).toBe(true);
    expect(ann.endFrame().ok).toBe(true);
    const rejection = await next(() => ann.pollRejection());
    expect(rejection).toMatchObject({ reason: "TEMPLATE_NOT_ALLOWED", field: "spawns[0]" });
    spawnBox(ann, Layer.Ship, 0);
    expect(ann.state).toBe(SessionState.Joined);
    ann.leave();
  });
});

describe("a server that asks for tickets", () => {
  let guarded: Server;
  let folder: string;
  const fileOf = (name: string) => join(folder, name);

  const ticketOf = (subject: string, ...options: string[]) =>
    sweepctl("token", "issue", "--key", fileOf("key.jwk"), "--issuer", "game", "--sub", subject, ...options);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sweepd-ts-keys-"));
    const key = ["--kid", "backend", "--output", fileOf("key.jwk"), "--jwks", fileOf("keys.json")];
    sweepctl("key", "new", ...key, "--issuer", "game");
    chmodSync(fileOf("keys.json"), 0o600);
    guarded = await Server.start(["--ticket-keys", fileOf("keys.json")]);
  });

  afterAll(async () => {
    await guarded.stop();
    rmSync(folder, { recursive: true });
  });

  function created(): string {
    ticketOf("lobby", "--role", "backend", "--create", "--output", fileOf("lobby.token"));
    const matchId = guarded.create(undefined, ["--token-file", fileOf("lobby.token")]);
    rmSync(fileOf("lobby.token"));
    return matchId;
  }

  test("lets in who has a good one, and no other", async () => {
    const matchId = created();
    const at = (token: string) => clientOf(guarded.url, token);
    const none = await failed(at(""), { matchId, name: "ann" });
    expect(none.error.code).toBe(ErrorCode.Unauthenticated);
    const bad = await failed(at("no.such.ticket"), { matchId, name: "ann" });
    expect(bad.error.code).toBe(ErrorCode.Unauthenticated);
    const other = await failed(at(ticketOf("ann", "--match", "another")), { matchId, name: "ann" });
    expect(other.error.code).toBe(ErrorCode.PermissionDenied);
    const session = at(ticketOf("ann", "--match", matchId)).join({ matchId, name: "ann" });
    await until(() => session.state !== SessionState.Connecting);
    expect(session.error.message).toBe("");
    session.leave();
  });

  test("is sent none in plain text beyond this machine, and none that is no token of HTTP", async () => {
    const far = new Client({ server: "ws://game.example.com", token: "abc" }).join({ matchId: "any", name: "ann" });
    expect(far.error).toMatchObject({ code: ErrorCode.InvalidArgument, field: "token" });
    const odd = await failed(clientOf(guarded.url, "a b"), { matchId: "any", name: "ann" });
    expect(odd.error.code).toBe(ErrorCode.InvalidArgument);
  });

  test("is asked with a fresh one for each connection", async () => {
    const matchId = created();
    const freshToken = () => ticketOf("bob", "--match", matchId);
    const session = new Client({ server: guarded.url, freshToken, timeoutMs: 60_000 }).join({ matchId, name: "bob" });
    await until(() => session.state === SessionState.Joined);
    expect(session.refreshTicket("no.such.ticket").ok).toBe(true);
    expect(await next(() => session.pollRejection())).toMatchObject({ reason: "MALFORMED" });
    session.leave();
    const thrown = new Client({
      server: guarded.url,
      freshToken: () => {
        throw new Error("no ticket now");
      },
    }).join({ matchId, name: "eve" });
    expect(thrown.error).toMatchObject({ code: ErrorCode.InvalidArgument, field: "freshToken" });
  });
});
