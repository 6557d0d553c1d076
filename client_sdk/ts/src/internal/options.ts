// SPDX-License-Identifier: MIT
import { ErrorCode, Status } from "../status.js";
import type { ReconnectOptions } from "../stream.js";
import { FieldError } from "./field_error.js";
import type { ReconnectTimes } from "./match_stream.js";

export function reconnectTimes(options: ReconnectOptions): ReconnectTimes {
  return {
    timeoutMs: options.timeoutMs ?? 60_000,
    firstPauseMs: options.firstPauseMs ?? 50,
    longestPauseMs: options.longestPauseMs ?? 2_000,
    silenceMaxMs: options.silenceMaxMs ?? 1_500,
  };
}

export function checkReconnect(times: ReconnectTimes): FieldError | undefined {
  const { firstPauseMs, longestPauseMs } = times;
  if (!(firstPauseMs >= 1)) return invalid("reconnect.firstPauseMs", `is ${firstPauseMs}; must be 1 or more`);
  if (longestPauseMs >= firstPauseMs) return undefined;
  return invalid("reconnect.longestPauseMs", `is ${longestPauseMs}, less than firstPauseMs, ${firstPauseMs}`);
}

/** At least `least`. */
export function checkBound(value: number, least: number, field: string): FieldError | undefined {
  return value >= least ? undefined : invalid(field, `is ${value}; must be ${least} or more`);
}

/** Callers without types may give anything. */
export function checkOneOf(value: string, values: readonly string[], field: string): FieldError | undefined {
  return values.includes(value) ? undefined : invalid(field, `is ${value}, none of ${values.join(", ")}`);
}

function invalid(field: string, what: string): FieldError {
  return new FieldError(ErrorCode.InvalidArgument, field, what);
}

function parse(server: string): URL | undefined {
  try {
    return new URL(server);
  } catch {
    return undefined;
  }
}

export function checkServer(server: string): FieldError | undefined {
  const url = parse(server);
  const isWebSocket = url?.protocol === "ws:" || url?.protocol === "wss:";
  const hasMore = url && url.username + url.password + url.search + url.hash !== "";
  if (isWebSocket && !hasMore) return undefined;
  return invalid("server", `is "${server}"; ws://HOST:PORT or wss://HOST:PORT are allowed`);
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** Where others could read it, no ticket goes. */
export function checkTicket(server: string, ticket: string): Status {
  const url = parse(server);
  const isReadable = url?.protocol === "ws:" && !isThisMachine(url.hostname);
  if (ticket === "" || !isReadable) return Status.ok;
  const what = `is not sent to ${server} in plain text: use wss://`;
  return invalid("token", what).status();
}
