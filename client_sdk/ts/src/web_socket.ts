// SPDX-License-Identifier: MIT

/** Of the standard WebSocket what the SDK uses; that of the package `ws` has it, too. */
export interface WebSocketLike {
  binaryType: string;
  readonly bufferedAmount: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  /** Without a word to the other side: of the package `ws`. */
  terminate?(): void;
}

export type OpenWebSocket = (url: string, protocols: string[]) => WebSocketLike | Promise<WebSocketLike>;

/** The WebSocket of browsers and of Node.js from 22 on; else that of the package `ws`. */
export async function openWebSocket(url: string, protocols: string[]): Promise<WebSocketLike> {
  if (typeof globalThis.WebSocket === "function") return new WebSocket(url, protocols);
  const { WebSocket: NodeWebSocket } = await import("ws");
  return new NodeWebSocket(url, protocols, { perMessageDeflate: false });
}
