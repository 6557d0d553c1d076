// SPDX-License-Identifier: MIT
import { expect } from "vitest";
import {
  centeredBox,
  Client,
  Part,
  SessionState,
  type Event,
  type JoinOptions,
  type Motion,
  type ObjectId,
  type Session,
} from "../../src/index.js";
import { next, until } from "./wait.js";

export const Layer = { Ship: 0, Shot: 1, Enemy: 2, Bullet: 3 } as const;

/** The times of a busy machine. */
const PATIENT = { silenceMaxMs: 60_000 };

export function clientOf(server: string, token = ""): Client {
  return new Client({ server, token, timeoutMs: 60_000 });
}

/** A session that has come in. */
export async function joined(server: string, options: JoinOptions): Promise<Session> {
  const session = clientOf(server).join({ reconnect: PATIENT, ...options });
  await until(() => session.state !== SessionState.Connecting);
  expect(session.error.message).toBe("");
  expect(session.state).toBe(SessionState.Joined);
  return session;
}

/** A session that does not come in. */
export async function failed(client: Client, options: JoinOptions): Promise<Session> {
  const session = client.join(options);
  await until(() => session.state !== SessionState.Connecting);
  expect(session.state).toBe(SessionState.Failed);
  return session;
}

/** Spawns a box of 16 × 16 units and sends the frame. */
export function spawnBox(session: Session, layer: number, x: number, y = 0, motion?: Motion): ObjectId {
  const parts = [Part.box(centeredBox(16, 16), layer)];
  const id = session.spawn({ position: { x, y }, parts, motion });
  expect(id.status.message).toBe("");
  expect(session.endFrame().ok).toBe(true);
  return id.value ?? 0;
}

export function moveTo(session: Session, id: ObjectId, x: number, y = 0): void {
  expect(session.move(id, { x, y }).ok).toBe(true);
  expect(session.endFrame().ok).toBe(true);
}

export function nextEvent(session: { pollEvent(): Event | undefined }): Promise<Event> {
  return next(() => session.pollEvent());
}
