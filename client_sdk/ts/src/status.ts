// SPDX-License-Identifier: MIT

/** What went wrong, for programs. */
export const ErrorCode = {
  None: "NONE",
  /** A NaN or an infinity where a number was due. */
  NotANumber: "NOT_A_NUMBER",
  /** A coordinate, size, speed or index beyond its range. */
  OutOfRange: "OUT_OF_RANGE",
  /** Anything else wrong with an argument; the message names the field. */
  InvalidArgument: "INVALID_ARGUMENT",
  /** The session has no seat (yet, or any more). */
  NotJoined: "NOT_JOINED",
  /** 0 is no object's id. */
  UnknownObject: "UNKNOWN_OBJECT",
  IdInUse: "ID_IN_USE",
  /** The session's block of object ids is used up. */
  OutOfIds: "OUT_OF_IDS",
  /** Frames wait for a slow connection; the frame was not taken. Try again, or give up. */
  QueueFull: "QUEUE_FULL",
  /** No such match, or no such slot. */
  NotFound: "NOT_FOUND",
  /**
   * The seat is not kept for this session (any more), or the ticket does not allow it. Of a session that an
   * operator has ended, the reason is "KICKED" or "BANNED": it does not come back by itself.
   */
  PermissionDenied: "PERMISSION_DENIED",
  /** The slot or the name is taken, also while its participant is away. */
  AlreadyExists: "ALREADY_EXISTS",
  /** A limit of the server is reached. */
  ResourceExhausted: "RESOURCE_EXHAUSTED",
  FailedPrecondition: "FAILED_PRECONDITION",
  /** The server cannot be reached, is stopping, or the stream broke. */
  Unavailable: "UNAVAILABLE",
  DeadlineExceeded: "DEADLINE_EXCEEDED",
  /** What the server kept is damaged, and lost. */
  DataLoss: "DATA_LOSS",
  Internal: "INTERNAL",
  /** The server asks for a ticket (ClientOptions.token), and got none or one that is no good. */
  Unauthenticated: "UNAUTHENTICATED",
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Success, or an error with a code for programs and words for people. */
export class Status {
  static readonly ok = new Status(ErrorCode.None, "");

  constructor(
    readonly code: ErrorCode,
    readonly message: string,
    /** The server's, such as "MATCH_NOT_FOUND"; may be empty. */
    readonly reason = "",
    /** The field at fault, such as "filter.layers[3]"; may be empty. */
    readonly field = "",
  ) {}

  get ok(): boolean {
    return this.code === ErrorCode.None;
  }
}

/** A value, or the Status that says why there is none. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value; readonly status: Status }
  | { readonly ok: false; readonly value?: undefined; readonly status: Status };

/** @internal */
export function success<Value>(value: Value): Result<Value> {
  return { ok: true, value, status: Status.ok };
}

/** @internal */
export function failure(status: Status): Result<never> {
  return { ok: false, status };
}
