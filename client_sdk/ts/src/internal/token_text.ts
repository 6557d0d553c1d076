// SPDX-License-Identifier: MIT
import { ErrorCode } from "../status.js";
import { FieldError, type Checked } from "./field_error.js";

/** As the contract has it (Joined.reconnect_token). */
const TOKEN_BYTES = 16;

export function tokenText(token: Uint8Array): string {
  return Array.from(token, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Empty of an empty text. */
export function tokenOf(text: string): Checked<Uint8Array<ArrayBuffer>> {
  if (text === "") return new Uint8Array();
  const bytes = text.match(/[0-9a-fA-F]{2}/g) ?? [];
  if (bytes.length === TOKEN_BYTES && text.length === 2 * TOKEN_BYTES)
    return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16));
  const what = `is not what Session.reconnectToken gave: ${2 * TOKEN_BYTES} hexadecimal digits`;
  return new FieldError(ErrorCode.InvalidArgument, "reconnectToken", what);
}
