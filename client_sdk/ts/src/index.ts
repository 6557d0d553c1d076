// SPDX-License-Identifier: MIT
export * from "./claims.js";
export { Client, type ClientOptions, type JoinOptions, type WatchOptions } from "./client.js";
export { FrameAuthor } from "./frame_author.js";
export { MatchFeed } from "./match_feed.js";
export * from "./replays.js";
export { Session } from "./session.js";
export * from "./shapes.js";
export { ErrorCode, Status, type Result } from "./status.js";
export * from "./stream.js";
export * from "./types.js";
export { Watcher } from "./watcher.js";
export type { OpenWebSocket, WebSocketLike } from "./web_socket.js";
