// SPDX-License-Identifier: MIT
//
// Protects scores that count: a replay comes whole, with its receipt, and a server that plays it again finds what was
// changed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ErrorCode, ReplayEnd, ReplayVerdict, type Client } from "../../src/index.js";
import { clientOf, joined, Layer, nextEvent, spawnBox } from "../support/match.js";
import { Server } from "../support/server.js";

let folder: string;
let server: Server;
let client: Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sweepd-ts-data-"));
  server = await Server.start(["--data-dir", folder]);
  client = clientOf(server.url);
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function played(): Promise<string> {
  const matchId = server.create();
  const ann = await joined(server.url, { matchId, name: "ann" });
  spawnBox(ann, Layer.Ship, 0);
  spawnBox(ann, Layer.Enemy, 4);
  await nextEvent(ann);
  server.end(matchId);
  return matchId;
}

async function replayOf(matchId: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const info = await client.getReplay(matchId, (piece) => pieces.push(piece) > 0);
  expect(info.status.message).toBe("");
  const bytes = new Uint8Array(Buffer.concat(pieces));
  expect(info.value?.bytes).toBe(bytes.length);
  return bytes;
}

test("a replay comes whole, and is what it says", async () => {
  const matchId = await played();
  const receipt = (await client.getReceipt(matchId)).value;
  expect(receipt).toMatchObject({ matchId, end: ReplayEnd.MatchEnded, scores: [{ name: "ann", score: 10 }] });
  expect(receipt?.signature).toHaveLength(64);
  const replay = await replayOf(matchId);
  const publicKey = receipt?.publicKey ?? new Uint8Array();
  const nonce = receipt?.nonce ?? new Uint8Array();
  const verified = await client.verifyReplay(replay, { publicKey, nonce });
  expect(verified.status.message).toBe("");
  expect(verified.value).toMatchObject({ verdict: ReplayVerdict.Verified, what: "", isSigned: true });
  expect(verified.value?.finalDigest).toBe(receipt?.finalDigest);
});

test("what was changed is found, and so is a score that is none", async () => {
  const replay = await replayOf(await played());
  const liar = await client.verifyReplay(replay, { claimedScores: [{ participant: 1, name: "ann", score: 1_000 }] });
  expect(liar.value?.verdict).toBe(ReplayVerdict.ScoreMismatch);
  replay[replay.length >> 1] = (replay[replay.length >> 1] ?? 0) ^ 1;
  const changed = await client.verifyReplay(replay);
  expect(changed.value?.verdict).not.toBe(ReplayVerdict.Verified);
  const none = await client.verifyReplay(new Uint8Array());
  expect(none.value?.verdict).toBe(ReplayVerdict.Malformed);
});

test("calls that fail say why", async () => {
  const matchId = await played();
  const unknown = await client.getReplay("no-such-match", () => true);
  expect(unknown.status).toMatchObject({ code: ErrorCode.NotFound, reason: "REPLAY_NOT_FOUND" });
  expect((await client.getReplay(matchId, () => false)).status.code).toBe(ErrorCode.Unavailable);
  const badKey = await client.verifyReplay(new Uint8Array(1), { publicKey: new Uint8Array(3) });
  expect(badKey.status).toMatchObject({ code: ErrorCode.InvalidArgument, reason: "INVALID_VERIFICATION" });
  const badScore = await client.verifyReplay(new Uint8Array(1), {
    claimedScores: [{ participant: 1, name: "ann", score: 0.5 }],
  });
  expect(badScore.status).toMatchObject({ code: ErrorCode.OutOfRange, field: "claimedScores[0].score" });
  const nowhere = await clientOf("ws://127.0.0.1:1").getReceipt(matchId);
  expect(nowhere.status.code).toBe(ErrorCode.Unavailable);
});
